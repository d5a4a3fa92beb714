"""The notebooks of examples/notebooks: all their cells run, in order, in a folder of their own."""
import importlib.util
import json
import os
import pathlib
import tempfile
import unittest
import warnings

FOLDER = pathlib.Path(os.environ["CAROM_SOURCE"]) / "examples" / "notebooks"
warnings.simplefilter("ignore")


class Notebooks(unittest.TestCase):
    def test_all(self):
        names = sorted(FOLDER.glob("*.ipynb"))
        self.assertGreaterEqual(len(names), 4)
        for name in names:
            with self.subTest(name.stem), tempfile.TemporaryDirectory() as work:
                os.chdir(work)
                space = {"__name__": "__main__"}
                text = name.read_text()
                if "scipy" in text and not importlib.util.find_spec("scipy"):
                    self.skipTest("scipy is not there")
                for cell in json.loads(text)["cells"]:
                    self.assertFalse(cell.get("outputs"), "notebooks are kept without outputs")
                    if cell["cell_type"] == "code":
                        exec(compile("".join(cell["source"]), name.name, "exec"), space)
                os.chdir("/")


if __name__ == "__main__":
    unittest.main()
