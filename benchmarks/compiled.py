"""Cython modules that are no part of the package, compiled where they are needed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import tjmj


def built(source: Path, folder: Path, optimize: str = "-O3") -> Path:
    """Build a module as the package's own are, into a folder; what is new enough there is left as it is."""
    from Cython.Build import cythonize  # here, so that what loads a module needs neither
    from setuptools import Distribution, Extension

    flags = ["/O2"] if sys.platform == "win32" else [optimize, "-g0"]
    module = Extension(source.stem, [str(source)], extra_compile_args=flags)
    root = Path(tjmj.__file__).parent.parent
    modules = cythonize([module], include_path=[str(root)], build_dir=str(folder), quiet=True)
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(source.stem))


def loaded(path: Path) -> ModuleType:
    """A module that has been built."""
    spec = importlib.util.spec_from_file_location(path.name.split(".")[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
