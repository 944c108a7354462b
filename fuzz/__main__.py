"""Fuzz the targets: `python -m fuzz [TARGET...] [--seconds N] [--again FILE]` (`make fuzz`)."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from . import FOLDER, TARGETS, seeds

BUILD = FOLDER.parent / "build" / "fuzz"
FINDS = BUILD / "finds"
LONGEST = 8192
LAST = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)")


def surroundings() -> dict[str, str]:
    """So that the sanitizers see the memory of Python too, and what it hangs on is the same each time."""
    import atheris  # wrong options are refused without it

    return os.environ | {
        "LD_PRELOAD": str(Path(atheris.path(), "asan_with_fuzzer.so")),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "PYTHONHASHSEED": "0",
    }


def command(target: str, *arguments: str) -> list[str]:
    limits = (f"-max_len={LONGEST}", "-rss_limit_mb=4096", "-report_slow_units=600")
    return [sys.executable, "-m", "fuzz.one", target, *limits, *arguments]


def fuzz(target: str, seconds: int) -> bool:
    """Run a target from its seeds and what earlier runs have found; False where its law was broken."""
    corpus = BUILD / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    before = {path.name for path in FINDS.iterdir()}
    log = BUILD / f"{target}.log"
    more = (f"-max_total_time={seconds}", f"-artifact_prefix={FINDS}/{target}-", "-print_final_stats=1", str(corpus))
    with open(log, "wb") as file:
        code = subprocess.call(command(target, *more), env=surroundings(), stdout=file, stderr=subprocess.STDOUT)
    told = log.read_text("utf-8", "replace")
    if not code and (lines := LAST.findall(told)):
        inputs, edges, features, kept = lines[-1]
        print(f"{target:10} {inputs:>9} inputs  {edges:>6} edges  {features:>6} features  {kept:>5} kept", flush=True)
        return True
    print(told[-6000:])
    print(f"{target}: its law is broken, or it crashed, or nothing was run; all of it is in {log}")
    for path in sorted(FINDS.iterdir()):
        if path.name not in before and path.name.startswith(target):
            print(f'Again: make fuzz ARGS="{target} --again {os.path.relpath(path)}"', flush=True)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"some of {', '.join(TARGETS)}; all by default")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="how long each is run (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many run at once")
    parser.add_argument("--again", metavar="FILE", help="run one input of one target again")
    given = parser.parse_args()
    wanted = given.targets or list(TARGETS)
    if unknown := [name for name in wanted if name not in TARGETS]:
        parser.error(f"no target {unknown[0]!r}; there are {', '.join(TARGETS)}")
    if given.seconds < 1 or given.jobs < 1:
        parser.error("--seconds and --jobs are 1 or more")
    if given.again and len(given.targets) != 1:
        parser.error("--again needs the one target that the input is of")
    # Looked for, not imported: without what is preloaded the build for fuzzing cannot be.
    package = find_spec("tjmj")
    if package is None or BUILD / "lib" not in Path(package.origin or "").resolve().parents:
        parser.error("the package is not the one that is built for fuzzing: make fuzz")
    if given.again:
        return subprocess.call(command(wanted[0], given.again), env=surroundings())
    FINDS.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(given.jobs) as pool:
        return 0 if all([*pool.map(lambda target: fuzz(target, given.seconds), wanted)]) else 1


sys.exit(main())
