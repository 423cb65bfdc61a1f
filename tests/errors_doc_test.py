"""docs/errors.md lists exactly the codes of src/base/errors.def, in their order."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
codes = re.findall(r"^SLUICE_ERROR\((\w+),", (root / "src/base/errors.def").read_text(), re.M)
listed = re.findall(r"^\| `(\w+)` \|", (root / "docs/errors.md").read_text(), re.M)
if codes != listed:
    missing = [code for code in codes if code not in listed]
    stale = [code for code in listed if code not in codes]
    sys.exit(f"docs/errors.md: missing {missing}, stale {stale}, or in another order")
print(f"{len(codes)} codes, all listed")
