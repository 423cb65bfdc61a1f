"""Fetches the source packages that hold the peers, and builds a worker of each with both compilers.

The packages are Python's and Rust's because those carry the C and C++ sources; nothing else in them
is used. They go to build/peers and are never committed. With PEERS=DIR in the environment,
checkouts under DIR are taken first. RapidJSON is taken from the system's headers, and what is
written in Rust is built by peers_rust.py."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import peers_rust

# peer: the packages to try in this order, the file that names the version, how it names it
PEERS = {
    "yyjson": (("orjson", "yyjson"), "yyjson.h", r'YYJSON_VERSION_STRING "([^"]+)"'),
    "simdjson": (("fastsimdjson", "pysimdjson"), "simdjson.h", r'SIMDJSON_VERSION "([^"]+)"'),
}
# The copy in the first package lacks the flags of yyjson's reading; for whole texts it is read in
# situ, which is such a flag.
CRATES = {"yyjson": "yyjson-sys"}
RAPIDJSON_JOBS = ("check", "document", "numbers", "strings", "write")
TEXT_JOBS = (*RAPIDJSON_JOBS, "brief")
TYPED_JOBS = (*TEXT_JOBS, "typed")
SYSTEM_HEADERS = pathlib.Path("/usr/include")
LIBRARY_SOURCE = {"yyjson": "yyjson.c", "simdjson": "simdjson.cpp"}
COMPILERS = {"g++": "gcc", "clang++-19": "clang-19"}
REFUSED_BY = {"rapidjson": "clang++-19"}  # its last release assigns to a const member
FLAGS = ["-O3", "-DNDEBUG", "-march=native"]


def run_quietly(command, **options):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          **options)


def download(package, folder):
    """Unpacks the newest source package into `folder`; False when the registry has none for us."""
    folder.mkdir(parents=True)
    done = run_quietly([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                        "--no-binary", package, "--dest", str(folder), package])
    archives = list(folder.glob("*.tar.gz"))
    if done.returncode != 0 or not archives:
        return False
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return True


def download_crate(crate, folder):
    """Unpacks the newest version of a crate into `folder`; False without cargo or the crate."""
    if shutil.which("cargo") is None:
        return False
    (folder / "src").mkdir(parents=True)
    (folder / "src/lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n{crate} = "*"\n')
    return run_quietly(["cargo", "vendor", "--quiet"], cwd=folder).returncode == 0


def sources_below(folder, peer):
    """(folder of the sources, "peer version") of the first place that has both files, or None."""
    _, header, version = PEERS[peer]
    for path in sorted(folder.rglob(header)):
        if (path.parent / LIBRARY_SOURCE[peer]).exists():
            return path.parent, f"{peer} {re.search(version, path.read_text())[1]}"
    return None


def fetch(peer, root):
    """As sources_below, from a checkout or a package."""
    if "PEERS" in os.environ:
        found = sources_below(pathlib.Path(os.environ["PEERS"]), peer)
        if found:
            return found
    for package in PEERS[peer][0]:
        folder = root / package
        if not folder.exists() and not download(package, folder):
            shutil.rmtree(folder)
            continue
        found = sources_below(folder, peer)
        if found:
            return found
    return None


def fetch_crate(peer, root):
    """As sources_below, from a checkout or a crate."""
    if "PEERS" in os.environ:
        found = sources_below(pathlib.Path(os.environ["PEERS"]), peer)
        if found:
            return found
    folder = root / CRATES[peer]
    if not folder.exists() and not download_crate(CRATES[peer], folder):
        shutil.rmtree(folder, ignore_errors=True)
        return None
    return sources_below(folder, peer)


def find_rapidjson():
    """(folder, "rapidjson version") as sources_below, of a checkout or the system's, or None."""
    folders = [SYSTEM_HEADERS]
    if "PEERS" in os.environ:
        found = pathlib.Path(os.environ["PEERS"]).rglob("rapidjson/rapidjson.h")
        folders = [*(path.parent.parent for path in sorted(found)), *folders]
    for folder in folders:
        header = folder / "rapidjson/rapidjson.h"
        if header.exists():
            parts = re.findall(r"define RAPIDJSON_(?:MAJOR|MINOR|PATCH)_VERSION (\d+)",
                               header.read_text())
            return folder, f"rapidjson {'.'.join(parts)}"
    return None


def build_worker(peer, sources, version, compiler, bench, root, part="read"):
    """The worker's path, or None where the compiler is missing or fails."""
    worker = root / f"{part}_{version.replace(' ', '-')}-{compiler}"
    newest = max(file.stat().st_mtime for file in (*bench.glob("*.h"), bench / f"{part}_{peer}.cpp"))
    if worker.exists() and worker.stat().st_mtime > newest:
        return worker
    # -isystem, but not of where the system's headers are: that would change their order.
    where = [] if sources == SYSTEM_HEADERS else ["-isystem", str(sources)]
    cxx = [compiler, "-std=c++23", *FLAGS, *where, f"-I{bench}", f"-I{bench.parent}/src"]
    commands, libraries = [], []
    if peer in LIBRARY_SOURCE:
        source, libraries = sources / LIBRARY_SOURCE[peer], [str(root / f"{worker.name}.o")]
        first = [COMPILERS[compiler], *FLAGS] if source.suffix == ".c" else cxx
        commands.append([*first, "-c", str(source), "-o", *libraries])
    commands.append([*cxx, str(bench / f"{part}_{peer}.cpp"), *libraries, "-o", str(worker)])
    for command in commands:
        done = run_quietly(command)
        if done.returncode != 0:
            print(f"{peer} with {compiler}: not built\n{done.stderr[:800]}", file=sys.stderr)
            return None
    return worker


def all_workers(bench, root):
    """{peer: [("peer version", compiler, worker)]}; an empty list is a peer not measured."""
    workers = {}
    for peer in PEERS:
        workers[peer] = []
        fetched = fetch(peer, root)
        for compiler in COMPILERS if fetched else ():
            if shutil.which(compiler) is None:
                continue
            worker = build_worker(peer, *fetched, compiler, bench, root)
            if worker:
                workers[peer].append((fetched[1], compiler, worker))
    return workers


def line_workers(bench):
    """{peer: [("peer version", compiler, command)]} of those that read lines."""
    root = bench.root / "build" / "peers"
    built = {peer: [(version, compiler, [worker]) for version, compiler, worker in workers]
             for peer, workers in all_workers(bench.here, root).items()}
    for version, worker in peers_rust.workers(bench.here, root):
        built[version] = [(version, "rustc", [worker, "lines"])]
    return built


def text_workers(bench):
    """[("peer version", compiler, command, jobs)] of those that read whole texts."""
    if bench.text_peers is not None:
        return bench.text_peers
    root = bench.root / "build" / "peers"
    fetched = {"yyjson": (fetch_crate("yyjson", root), TEXT_JOBS),
               "simdjson": (fetch("simdjson", root), TYPED_JOBS),
               "rapidjson": (find_rapidjson(), RAPIDJSON_JOBS)}
    bench.text_peers = [(version, "rustc", [worker, "text"], peers_rust.TEXT_JOBS)
                        for version, worker in peers_rust.workers(bench.here, root)]
    for peer, (sources, jobs) in fetched.items():
        built = [(compiler, build_worker(peer, *sources, compiler, bench.here, root, "text"))
                 for compiler in COMPILERS
                 if sources and shutil.which(compiler) and REFUSED_BY.get(peer) != compiler]
        bench.text_peers += [(sources[1], compiler, [worker], jobs)
                             for compiler, worker in built if worker]
    return bench.text_peers


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    for peer, built in all_workers(here, here.parent / "build" / "peers").items():
        print(peer, built or "not available")
