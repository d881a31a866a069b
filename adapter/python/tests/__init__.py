"""Tests of the package `linesman`. The environment variable `LINESMAN` names the program, else it is in the path."""

import importlib.util
import os


def has(module: str) -> bool:
    """Whether this optional module is installed. With `CI` in the environment it must be."""
    if importlib.util.find_spec(module):
        return True
    if "CI" in os.environ:
        package = "open_spiel" if module == "pyspiel" else module
        raise ModuleNotFoundError(f"{module} is not installed: pip install {package}")
    return False
