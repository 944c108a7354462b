from Cython.Build import cythonize
from setuptools import setup

import tjmj

setup(name="embedded", ext_modules=cythonize("embedded.pyx", include_path=[tjmj.get_include()]))
