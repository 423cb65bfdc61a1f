"""What a run of the study leaves behind, beside its page."""
import csv
import hashlib
import os
import platform
import re
import statistics
import subprocess

FLAGS = re.compile(r"(CMAKE_BUILD_TYPE|CMAKE_CXX_COMPILER|CMAKE_CXX_FLAGS(?:_\w+)?):\w+=(.*)")
NO_METRICS = ("repeat", "place", "block", "condition", "policy", "wrong")


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True,
                              timeout=10).stdout.splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def build_flags(program):
    """Of the build the program lies in; {} where there is none."""
    cache = program.resolve().parent / "CMakeCache.txt"
    if not cache.exists():
        return {}
    return dict(match.groups() for match in map(FLAGS.fullmatch, cache.read_text().splitlines())
                if match and match.group(2))


def sources(root):
    """A SHA-256 of each folder of sources, over the paths and bytes of its files in their order."""
    hashes = {}
    for folder in ("src", "tools", "experiments"):
        digest = hashlib.sha256()
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in (".h", ".cpp", ".inl", ".in", ".def", ".py",
                                                  ".json", ".txt"):
                digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
        hashes[folder] = digest.hexdigest()
    return hashes


def environment(programs, root, cpu, plan):
    flags = build_flags(programs["sluice"])
    compiler = flags.get("CMAKE_CXX_COMPILER")
    return {
        "sluice": first_line(str(programs["sluice"]), "version"),
        "programs": {name: hashlib.sha256(path.read_bytes()).hexdigest()
                     for name, path in programs.items() if path.exists()},
        "compiler": first_line(compiler, "--version") if compiler else None,
        "build_flags": flags, "sources": sources(root),
        "commit": first_line("git", "-C", str(root), "rev-parse", "HEAD"),
        "python": platform.python_version(), "system": f"{platform.system()} {platform.release()}",
        "processor": processor(), "processors": os.cpu_count(), "pinned_to": cpu,
        "load_at_start": os.getloadavg()[0], "plan": plan}


def write_csv(path, rows):
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def summarize(rows):
    """[{block, condition, policy, runs, metric: {median, min, max}}], good runs only."""
    groups = {}
    for row in rows:
        if not row["wrong"]:
            groups.setdefault((row["block"], row["condition"], row["policy"]), []).append(row)
    summary = []
    for (block, condition, policy), group in groups.items():
        line = {"block": block, "condition": condition, "policy": policy, "runs": len(group)}
        for name in group[0]:
            if name not in NO_METRICS:
                values = [row[name] for row in group]
                line[name] = {"median": statistics.median(values), "min": min(values),
                              "max": max(values)}
        summary.append(line)
    return summary
