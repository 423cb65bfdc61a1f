"""Builds the workers for JSON libraries of Rust (bench/peers_rust), where cargo is at hand.

The crate is copied to build/peers and built there with the newest versions of the libraries."""
import os
import re
import shutil
import subprocess
import sys

LIBRARIES = {"serde_json": "serde_json", "sonic-rs": "sonic_rs"}  # crate, program
TEXT_JOBS = ("check", "document", "numbers", "strings", "brief", "typed", "write", "write_typed")


def version_of(crate, folder):
    lock = (folder / "Cargo.lock").read_text(encoding="utf-8")
    return re.search(rf'name = "{crate}"\nversion = "([^"]+)"', lock)[1]


def is_newer(bench, folder):
    """Whether what lies in `folder` was copied from the crate as it is now."""
    sources = [path for path in (bench / "peers_rust").rglob("*") if path.is_file()]
    copies = [folder / path.relative_to(bench / "peers_rust") for path in sources]
    return all(copy.exists() and copy.read_bytes() == source.read_bytes()
               for source, copy in zip(sources, copies))


def workers(bench, root):
    """[("crate version", program)]; none without cargo."""
    if shutil.which("cargo") is None:
        return []
    folder = root / "peers_rust"
    programs = {crate: folder / "target/release" / program
                for crate, program in LIBRARIES.items()}
    if not (is_newer(bench, folder) and all(map(os.path.exists, programs.values()))):
        shutil.copytree(bench / "peers_rust", folder, dirs_exist_ok=True)
        flags = {**os.environ, "RUSTFLAGS": "-C target-cpu=native"}
        done = subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=folder, env=flags,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(f"serde_json, sonic-rs: not built\n{done.stderr[:800]}", file=sys.stderr)
            return []
    return [(f"{crate} {version_of(crate, folder)}", program)
            for crate, program in programs.items()]
