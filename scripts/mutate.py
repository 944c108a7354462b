"""Put small faults into scoring, engine and settlement, one at a time, and see whether the tests notice.

    python scripts/mutate.py --count 300              try 300 faults, spread over all modules
    python scripts/mutate.py --only _settle --again   the survivors in a module once more, with longer tests
    python scripts/mutate.py --table                  what is known so far

Each fault goes into a copy of the checkout, where what it changes is compiled, without optimisation. Results are
appended to a file; a run that was interrupted goes on where it was. What survives stands in docs/mutants.md.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, islice, zip_longest
from pathlib import Path

import hypothesis  # noqa: F401  for the children
import numpy  # noqa: F401
import pytest
from Cython.Compiler.Main import CompilationOptions
from Cython.Compiler.Main import compile as translate
from mutants import Mutant, mutants

sys.path.append(str(Path(__file__).resolve().parent.parent))

import setup

ROOT = Path(setup.__file__).parent

# The tests that touch a module, the quickest first. Those that take long are run where a survivor is tried again.
LONG = {"engine_machine", "jintan_referee", "round_views", "round_referee", "round_worlds", "record", "match", "viewer"}
PLAY = "rules_of_play reasons jintan_play jintan_winning jintan_flowers engine_golden engine_machine jintan_referee"
ROUND = "round_default round_jintan round_settlement round_views round round_referee"
HANDS = "fan jintan_score waits jintan_waits batch against_reference"
RULES = "rules rules_fields rules_pages fan jintan_score"
TESTS = {
    "_core": f"core {HANDS} rows hand",
    "_fan": HANDS,
    "_flowers": "jintan_score jintan_waits jintan_winning jintan_flowers batch jintan_referee",
    "_score": f"{HANDS} hand cli_jintan",
    "_hand": f"hand {HANDS} notation",
    "_waits": HANDS,
    "_reading": HANDS,
    "_terms": f"core {HANDS} {PLAY} rules tables",
    "_rows": f"rows batch {HANDS}",
    "_batch": f"batch rows {HANDS} security",
    "_round": f"{PLAY} {ROUND} tables simulate",
    "_settle": f"round_settlement {PLAY} match",
    "_moves": f"{PLAY} {ROUND} record",
    "_reasons": f"{PLAY} {ROUND}",
    "_play": f"{PLAY} {ROUND} record",
    "_deal": f"deal {PLAY} match record tables simulate",
    "_asking": f"tables simulate {ROUND} round_worlds",
    "_observation": "tables round_jintan round_worlds simulate",
    "_policy": "tables simulate",
    "_tables": "tables simulate round_worlds",
    "_story": f"{ROUND} record viewer",
    "_windows": f"{ROUND} round_snapshot round_worlds",
    "elements": f"{HANDS} {RULES} {PLAY} draw",
    "rulesets/base": f"{RULES} third_ruleset",
    "rulesets/tianjin": f"{RULES} {PLAY} third_ruleset readme",
    "rulesets/jintan": f"{RULES} {PLAY} third_ruleset readme",
}

PACKAGE = "src/tjmj"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
BOUNDS = ["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]  # beyond an array the process ends
COMPILER = ["-O0", "-fPIC", "-shared", "-w", *BOUNDS, f"-I{PACKAGE}", f"-I{sysconfig.get_path('include')}"]
AT_FIRST = 2  # modules compiled before the first tests, where a fault in an inline function changes more
MOST_MEMORY = 4 << 30
MOST_SECONDS = 30, 300  # of a processor for the first tests and the others; a fault may never end
MOST_SECONDS_ASLEEP = 600  # or have threads wait for each other
FINDS = {"killed", "timeout"}


class Copy:
    """A copy of the checkout, compiled, into which faults are put."""

    def __init__(self, folder: Path, again: bool = False) -> None:
        self.folder = folder
        self.again = again
        self.pristine = {path: (folder / path).read_text("utf-8") for path in files(folder)}

    @classmethod
    def made(cls, folder: Path, again: bool) -> Copy:
        """A new copy of what git knows, with all its modules compiled."""
        shutil.rmtree(folder, ignore_errors=True)
        known = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, known.stdout.split("\0")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
        copy = cls(folder, again)
        for source in sorted((folder / PACKAGE).glob("*.pyx")):
            if not copy.translated(source.stem) or not copy.compiled(source.stem):
                sys.exit(f"{source.name} does not compile")
            keep(folder, source.stem)
        generate = [sys.executable, "-m", "cython", f"--generate-shared={PACKAGE}/{setup.SHARED}.c"]
        subprocess.run(generate, cwd=folder, check=True)
        copy.compiled(setup.SHARED)
        return copy

    def translated(self, module: str) -> bool:
        """Turn a module into C; whether that works."""
        options = CompilationOptions(
            compiler_directives=setup.DIRECTIVES | {"emit_code_comments": False},
            shared_utility_qualified_name=f"tjmj.{setup.SHARED}",
            output_file=f"{PACKAGE}/{module}.c",
        )
        os.chdir(self.folder)
        return translate([f"{PACKAGE}/{module}.pyx"], options).num_errors == 0

    def translated_apart(self, module: str) -> bool:
        """The same in a child, which takes over what Cython has read so far, and leaves nothing behind."""
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            done = False
            try:
                done = self.translated(module)
            finally:
                os._exit(not done)
        return os.waitpid(child, 0)[1] == 0

    def compiled(self, module: str) -> bool:
        made = f"{PACKAGE}/{module}{SUFFIX}"
        (self.folder / made).unlink(missing_ok=True)  # it may be one with what is kept
        compiler = os.environ.get("CC", "cc")
        return not subprocess.run(
            [compiler, *COMPILER, f"{PACKAGE}/{module}.c", "-o", made], cwd=self.folder, stderr=subprocess.DEVNULL
        ).returncode

    def restore(self, file: str, modules: list[str]) -> None:
        (self.folder / file).write_text(self.pristine[file], "utf-8")
        for module in modules:
            for name in (f"{module}.c", f"{module}{SUFFIX}"):
                (self.folder / PACKAGE / name).unlink(missing_ok=True)
                os.link(self.folder / "kept" / name, self.folder / PACKAGE / name)

    def affected(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """Modules to compile before the tests are run, and others to compile if they pass."""
        path = Path(mutant.file)
        if path.suffix == ".py":
            return [], []
        if path.suffix == ".pyx":
            return [path.stem], []
        before = self.pristine[mutant.file][: mutant.start]
        function = re.search(r"^cdef [^\n]*?(\w+)\([^\n]*:\n(?:[ \n][^\n]*|\n)*\Z", before, re.M)
        constant = re.search(r"^ +(\w+) = [^\n]*\Z", before, re.M)
        if function:
            used, least = rf"__pyx_f_\w*{path.stem}_{function[1]}\b", 1
        else:  # a constant is declared wherever its file is cimported
            used, least = (rf"__pyx_e_\w*{path.stem}_{constant[1]}\b", 2) if constant else ("", 0)
        kept = sorted((self.folder / "kept").glob("*.c"))
        found = {c.stem: len(re.findall(used, c.read_text("utf-8"))) for c in kept}
        least = min(least, max(found.values()))  # Cython writes the length of an array as a number
        every = [each for each in dict.fromkeys([path.stem, *TESTS, *found]) if found.get(each, -1) >= least]
        return (every[:AT_FIRST], every[AT_FIRST:]) if function else (every, [])

    def tried(self, mutant: Mutant) -> tuple[str, str]:
        """Whether the tests notice a fault, and which one does."""
        source = self.pristine[mutant.file]
        (self.folder / mutant.file).write_text(mutant.applied(source), "utf-8")
        touched: list[str] = []
        try:
            outcome = ("unchanged", "")
            for group in self.affected(mutant):
                changed = []
                for module in group:
                    touched.append(module)
                    if not self.translated_apart(module):
                        return "not compiled", ""
                    if filecmp.cmp(self.folder / PACKAGE / f"{module}.c", self.folder / "kept" / f"{module}.c", False):
                        continue
                    if not self.compiled(module):
                        return "not compiled", ""
                    changed.append(module)
                if changed or mutant.file.endswith(".py"):
                    outcome = self.tested([module_of(mutant.file), *(changed if self.again else [])])
                if outcome[0] in FINDS or mutant.file.endswith(".py"):
                    break
            return outcome
        finally:
            self.restore(mutant.file, touched)

    def tested(self, modules: list[str]) -> tuple[str, str]:
        """Whether the tests of these modules pass, and which one does not; most faults are seen in the first file."""
        every = dict.fromkeys(" ".join(TESTS.get(each, "") for each in modules).split())
        names = [name for name in every if self.again or name not in LONG]
        for part, most in zip((names[:1], names[1:]), MOST_SECONDS):
            outcome = self.run([f"tests/test_{name}.py" for name in part], most)
            if outcome[0] in FINDS:
                break
        return outcome

    def run(self, tests: list[str], most: int) -> tuple[str, str]:
        """Run tests in a child, which has what takes long to import."""
        said = self.folder / "said.txt"
        child = os.fork()
        if not child:
            try:
                os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
                os.dup2(1, 2)
                limit(most)
                self.run_here(tests)
            finally:
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if not status:
            return "survived", ""
        if status in (-signal.SIGXCPU, -signal.SIGALRM):
            return "timeout", ""
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(f"no quick tests in {' '.join(tests)}")
        noticed = re.search(r"^(?:FAILED|ERROR) (\S+)", said.read_text("utf-8", "replace"), re.M)
        return "killed", noticed[1] if noticed else f"exit status {status}"

    def run_here(self, tests: list[str]) -> None:
        os.chdir(self.folder)
        os.environ |= {"PYTHONPATH": "src", "TJMJ_HYPOTHESIS": "mutants", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        sys.path[:0] = [str(self.folder), str(self.folder / "src")]
        sys.dont_write_bytecode = False  # reading the tests anew each time would take longer than many a run
        options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-m", "not slow"]
        status = pytest.main([*options, *tests])
        sys.stdout.flush()
        os._exit(status)


def limit(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    signal.alarm(MOST_SECONDS_ASLEEP)


def keep(folder: Path, module: str) -> None:
    (folder / "kept").mkdir(exist_ok=True)
    for name in (f"{module}.c", f"{module}{SUFFIX}"):
        os.link(folder / PACKAGE / name, folder / "kept" / name)


def module_of(file: str) -> str:
    return str(Path(file).relative_to(PACKAGE).with_suffix(""))


def files(folder: Path) -> list[str]:
    """Sources into which faults are put."""
    names = [f"{PACKAGE}/{module}{suffix}" for module in TESTS for suffix in (".pyx", ".pxd", ".py")]
    return [name for name in names if (folder / name).exists()]


def sample(only: list[str] | None, seed: int) -> Iterator[Mutant]:
    """All faults in a random order that goes round the files."""
    orders = []
    for file in files(ROOT):
        found = mutants(file, (ROOT / file).read_text("utf-8")) if not only or module_of(file) in only else []
        random.Random(f"{seed} {file}").shuffle(found)
        orders.append(found)
    return (mutant for mutant in chain.from_iterable(zip_longest(*orders)) if mutant)


def start(folders, again: bool) -> None:
    global copy
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    copy = Copy(folders.get(), again)


def work(mutant: Mutant) -> dict:
    began = time.monotonic()
    outcome, by = copy.tried(mutant)
    seconds = round(time.monotonic() - began, 1)
    return asdict(mutant) | {"module": module_of(mutant.file), "outcome": outcome, "by": by, "seconds": seconds}


def read(path: Path) -> dict[str, dict]:
    """Results by fault, the last one of each."""
    results = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines() if path.exists() else [], 1):
        try:
            result = json.loads(line)
            results[result["key"]] = result
        except (ValueError, KeyError, TypeError):
            sys.exit(f"{path}, line {number}: no result of a fault; without this line it goes on")
    return results


def table(results: dict[str, dict]) -> str:
    """How many faults of each module were killed, and each survivor."""
    columns = ("killed", "timeout", "survived", "not compiled", "unchanged")
    rows = [["module", *columns], ["---", *["---:"] * len(columns)]]
    for module in [*TESTS, "all"]:
        mine = [each["outcome"] for each in results.values() if module in ("all", each["module"])]
        rows.append([module, *[str(mine.count(column)) for column in columns]])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*lines, "", *[key for key, each in results.items() if each["outcome"] == "survived"]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="of faults, those known already among them")
    parser.add_argument("--only", nargs="+", choices=TESTS, metavar="MODULE", help="faults in these modules")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, choices=range(1, 65), metavar="N", default=2)
    parser.add_argument("--again", action="store_true", help="try survivors once more, with longer tests")
    parser.add_argument("--table", action="store_true", help="only say what is known")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "mutants" / "results.jsonl")
    args = parser.parse_args()
    known = read(args.results)
    if not args.table:
        chosen = list(islice(sample(args.only, args.seed), None if args.again else args.count))
        if args.again:
            chosen = [each for each in chosen if known.get(each.key, {}).get("outcome") == "survived"]
        else:
            chosen = [each for each in chosen if each.key not in known]
        if chosen:
            run(chosen, args.results, args.workers, args.again)
    print(table(read(args.results)))


def run(chosen: list[Mutant], results: Path, workers: int, again: bool) -> None:
    folders = [results.parent.resolve() / f"copy-{number}" for number in range(workers)]
    results.parent.mkdir(parents=True, exist_ok=True)
    print("Compiling the package, and testing it without a fault", flush=True)
    first = Copy.made(folders[0], again)
    outcome = first.tested(list(TESTS) if again else sorted({module_of(mutant.file) for mutant in chosen}))
    if outcome[0] != "survived":
        sys.exit(f"the tests find a fault before there is one: {outcome}")
    for folder in folders[1:]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(first.folder, folder)
    processes = multiprocessing.get_context("fork")
    queue = processes.SimpleQueue()
    for folder in folders:
        queue.put(folder)
    with processes.Pool(workers, start, (queue, again)) as pool, results.open("a", encoding="utf-8") as out:
        for number, done in enumerate(pool.imap_unordered(work, chosen), 1):
            out.write(json.dumps(done, ensure_ascii=False) + "\n")
            out.flush()
            said = [f"{number}/{len(chosen)}", done["outcome"], f"{done['seconds']} s", done["key"], done["by"]]
            print(*said, flush=True)


if __name__ == "__main__":
    main()
