"""Builds the Cython modules; everything else is in pyproject.toml.

Switches, as environment variables:

TJMJ_SANITIZE=1   address and undefined-behaviour sanitizers, bounds checks in Cython
TJMJ_COVERAGE=1   line tracing for coverage; the C files then lie beside their .pyx
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SANITIZE = os.environ.get("TJMJ_SANITIZE", "0") not in ("", "0")
COVERAGE = os.environ.get("TJMJ_COVERAGE", "0") not in ("", "0")

PACKAGE = Path("src", "tjmj")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": SANITIZE,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "freethreading_compatible": True,
    "embedsignature": True,
    "linetrace": COVERAGE,
    "show_performance_hints": not SANITIZE,
}

# No -march: one binary runs on every processor of its kind.
if sys.platform == "win32":
    COMPILE, LINK = ["/O2"], []
elif SANITIZE:
    LINK = ["-fsanitize=address,undefined"]
    COMPILE = [*LINK, "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-O1", "-g"]
else:
    COMPILE, LINK = ["-O3", "-g0"], []

MACROS = [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")] if COVERAGE else []


def extensions():
    headers = sorted(map(str, PACKAGE.rglob("*.h")))
    for source in sorted(PACKAGE.rglob("*.pyx")):
        yield Extension(
            ".".join(source.relative_to("src").with_suffix("").parts),
            [str(source)],
            include_dirs=[str(PACKAGE)],
            depends=headers,
            define_macros=MACROS,
            extra_compile_args=COMPILE,
            extra_link_args=LINK,
        )


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
        options = repr((DIRECTIVES, COMPILE, LINK, MACROS))
        changed = not stamp.exists() or stamp.read_text("utf-8") != options
        if changed:
            stamp.write_text(options, "utf-8")

        generated = cythonize(
            self.extensions,
            build_dir=None if COVERAGE else str(base),
            compiler_directives=DIRECTIVES,
            force=changed or bool(self.force),
            nthreads=self.parallel,
            quiet=self.verbose < 1,
        )
        for mine, made in zip(self.extensions, generated, strict=True):
            mine.sources = made.sources
            mine.depends = [*made.depends, str(stamp)]
        super().run()


# The guard is for cythonize's worker processes, which may import this file again.
if __name__ == "__main__":
    setup(ext_modules=list(extensions()), cmdclass={"build_ext": BuildExt})
