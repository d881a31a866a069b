import contextlib
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from . import has

ROOT = Path(__file__).parents[3]


class Page(unittest.TestCase):
    def test_its_blocks(self) -> None:
        """Runs the code blocks of the page in one namespace, and compares what they print."""
        text = (ROOT / "spec/python.md").read_text()
        blocks = re.findall(r"^```(.*)\n([^`]*?)^```$", text, re.MULTILINE)
        self.assertEqual(len(blocks) * 2, len(re.findall("^```", text, re.MULTILINE)))
        names: dict[str, Any] = {}
        printed = None
        with tempfile.TemporaryDirectory() as folder, _in_folder(folder):
            for label, code in blocks:
                if label == "text":
                    self.assertIn(printed, (None, code))
                    continue
                kind, _, argument = label.partition(" of ")
                _, _, package = label.partition(" with ")
                printed = None
                if argument:
                    Path(argument).write_text(code)
                elif kind.startswith("python") and (not package or has(package)):
                    with contextlib.redirect_stdout(io.StringIO()) as output:
                        exec(compile(code, f"python.md: {code[:40]!r}", "exec"), names)
                    printed = output.getvalue()
            self.assertGreater(len(names["weights"]), 50)
            names["match"].close()

    def test_the_version_is_that_of_the_project(self) -> None:
        version = r'^version = "(.*)"$'
        versions = [
            re.findall(version, (ROOT / file).read_text(), re.MULTILINE)[0]
            for file in ("Cargo.toml", "adapter/python/pyproject.toml")
        ]
        self.assertEqual(versions[0], versions[1])


class Optional(unittest.TestCase):
    def test_no_test_passes_in_ci_by_not_running(self) -> None:
        with mock.patch.dict(os.environ):
            os.environ.pop("CI", None)
            self.assertTrue(has("unittest"))
            self.assertFalse(has("linesman_absent"))
            os.environ["CI"] = "true"
            self.assertTrue(has("unittest"))
            with self.assertRaisesRegex(ModuleNotFoundError, "pip install linesman_absent"):
                has("linesman_absent")


@contextlib.contextmanager
def _in_folder(folder: str) -> Any:
    """The folder as the current one, whose modules can be imported, also by children."""
    old = os.getcwd()
    paths = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
    os.chdir(folder)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        sys.modules.pop("agent", None)
        os.chdir(old)
        os.environ.pop("PYTHONPATH")
        if paths is not None:
            os.environ["PYTHONPATH"] = paths
