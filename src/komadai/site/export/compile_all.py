"""Compile all Python of ``/site``; run in Pyodide by ``pyodide.mjs``, whose version writes the bytecode that it reads."""

import compileall
import sys
from py_compile import PycInvalidationMode

if __name__ == "__main__":
    sys.exit(not compileall.compile_dir("/site", quiet=1, force=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH))
