"""Builds the Cython modules; everything else is in pyproject.toml.

Switches, as environment variables:

TJMJ_SANITIZE=1   address and undefined-behaviour sanitizers, bounds checks in Cython
TJMJ_FUZZ=1       the same, and coverage for libFuzzer; wants CC=clang
TJMJ_COVERAGE=1   counters for gcov, by the lines of .pyx and .pxd
"""

import os
import subprocess
import sys
from pathlib import Path

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def switched(name):
    return os.environ.get(name, "0") not in ("", "0")


FUZZ = switched("TJMJ_FUZZ")
SANITIZE = FUZZ or switched("TJMJ_SANITIZE")
COVERAGE = switched("TJMJ_COVERAGE")

PACKAGE = Path("src", "tjmj")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": SANITIZE,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "freethreading_compatible": True,
    "auto_pickle": False,  # a value that can be pickled says how itself
    "embedsignature": True,
    "show_performance_hints": not SANITIZE,
}

# What Python values need of Cython itself: once in the package, not in each module.
SHARED = "_cyutility"

# A wheel is kept below 1 MB: only loops without the GIL are compiled for speed alone.
SMALL = {
    "_hand", "_notation", "_play", "_reading", "_reasons", "_story", "_terms", "_threads", "_waits", "_windows", SHARED,
}
MIDDLING = {"_deal", "_score"}

# No -march: one binary runs on every processor of its kind.
if sys.platform == "win32":
    COMPILE, LINK = [], []
    SMALLEST, USUAL, FASTEST = "/O1", "/O2", "/O2"
elif SANITIZE:
    LINK = ["-fsanitize=address,undefined"]
    COMPILE = [*LINK, "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g"]
    if FUZZ:
        COMPILE.append("-fsanitize=fuzzer-no-link")
    SMALLEST = USUAL = FASTEST = "-O1"
elif COVERAGE:
    COMPILE = LINK = ["--coverage"]
    SMALLEST = USUAL = FASTEST = "-O0"
else:
    COMPILE = ["-g0", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"]
    LINK = ["-Wl,-dead_strip", "-Wl,-x"] if sys.platform == "darwin" else ["-Wl,--gc-sections", "-Wl,-s"]
    SMALLEST, USUAL, FASTEST = "-Os", "-O2", "-O3"


def extension(name, sources, depends=()):
    return Extension(
        f"tjmj.{name}",
        sources,
        include_dirs=[str(PACKAGE)],
        depends=list(depends),
        extra_compile_args=[*COMPILE, SMALLEST if name in SMALL else USUAL if name in MIDDLING else FASTEST],
        extra_link_args=LINK,
    )


def extensions():
    headers = sorted(map(str, PACKAGE.rglob("*.h")))
    for source in sorted(PACKAGE.rglob("*.pyx")):
        name = ".".join(source.relative_to(PACKAGE).with_suffix("").parts)
        yield extension(name, [str(source)], headers)
    yield extension(SHARED, [])  # its source is made by Cython when it is built


class BuildExt(build_ext):
    """Turns .pyx into C when it really builds, so that an sdist lists the .pyx and no C."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        base = Path(self.get_finalized_command("build").build_base, "cython")
        base.mkdir(parents=True, exist_ok=True)

        # Neither Cython nor setuptools notices other options; both notice a newer file.
        stamp = base / "options"
        flags = [[extension.extra_compile_args, extension.extra_link_args] for extension in self.extensions]
        options = repr((Cython.__version__, DIRECTIVES, flags, COVERAGE))
        changed = not stamp.exists() or stamp.read_text("utf-8") != options
        if changed:
            stamp.write_text(options, "utf-8")

        *modules, shared = self.extensions
        generated = cythonize(
            modules,
            build_dir=str(base),
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=shared.name,
            force=changed or bool(self.force),
            nthreads=self.parallel,
            quiet=self.verbose < 1,
        )
        for mine, made in zip(modules, generated, strict=True):
            mine.sources = made.sources
            mine.depends = [*made.depends, str(stamp)]

        source = base / f"{SHARED}.c"
        if changed or not source.exists():
            subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={source}"], check=True)
        shared.sources = [str(source)]
        shared.depends = [str(stamp)]
        super().run()


# The guard is for cythonize's worker processes, which may import this file again.
if __name__ == "__main__":
    setup(ext_modules=list(extensions()), cmdclass={"build_ext": BuildExt})
