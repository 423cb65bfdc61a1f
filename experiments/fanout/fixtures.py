"""The inputs of the study, and what every sink must make of them."""
import json
import subprocess

import oracle


def generate(program, name, rule, folder):
    """The fixture as a file; the generator's rules are in docs/sample-data.md."""
    path = folder / f"{name}.ndjson"
    subprocess.run([program, name, "--records", str(rule["records"]), "--seed", str(rule["seed"]),
                    "--output", path], check=True)
    return path


class Expected:
    """Output of one selection of one fixture."""

    def __init__(self, lines, select):
        data = oracle.output(lines, select, "bare")
        self.bytes, self.records = len(data), len(lines)
        self.sha256, self.crc32c = oracle.sha256(data), oracle.crc32c(data)

    def differs(self, sink, digest):
        """What the report says of a sink that it should not, or None. `digest`: its name there."""
        for name in ("records", "bytes", digest):
            if sink[name] != getattr(self, name):
                return f"{sink['name']}: {name} is {sink[name]}, not {getattr(self, name)}"
        return None


class Fixtures:
    """All inputs of a plan, and expectations by (fixture, selection)."""

    def __init__(self, plan, program, folder):
        self.paths, self.hashes, self.expected = {}, {}, {}
        for name, rule in plan["fixtures"].items():
            self.paths[name] = path = generate(program, name, rule, folder)
            data = path.read_bytes()
            lines = data.splitlines()
            if any(not isinstance(json.loads(line), dict) for line in lines):
                raise ValueError(f"{path} holds something that is no object")
            self.hashes[name] = {"bytes": len(data), "records": len(lines), **rule,
                                 "sha256": oracle.sha256(data)}
            for select in self.selections(plan, name):
                self.expected[name, select] = Expected(lines, select)

    @staticmethod
    def selections(plan, fixture):
        return sorted({select for each in plan["conditions"] if each["fixture"] == fixture
                       for select, _ in each["sinks"]})

    def as_json(self):
        outputs = [{"fixture": fixture, "selection": select, "bytes": each.bytes,
                    "records": each.records, "sha256": each.sha256, "crc32c": each.crc32c}
                   for (fixture, select), each in self.expected.items()]
        return {"inputs": self.hashes, "outputs": outputs}
