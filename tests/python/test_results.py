"""Decks, runs, tables, frames and sweeps."""
import os
import pathlib
import subprocess
import sys
import unittest
import warnings

import numpy as np

import carom
from carom.results import read_table

warnings.simplefilter("ignore")
FOLDER = pathlib.Path.cwd()

DECK = """carom: 1
dimension: 2
materials: [{name: m, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: a, material: m, velocity: [0.2, -2], mesh: {block: {from: [0, 1.01], to: [1, 2.01], elements: [3, 3]}}}
  - {name: b, material: m, mesh: {block: {from: [-0.5, 0], to: [1.5, 1], elements: [5, 3]}}}
contact: [{between: [a, b], friction: 0.2, name: both}]
time: {method: dissipative, step: 0.01, end: 0.2}
output: {frames: 4, probes: [{name: tip, body: a, at: [0, 1.01]}]}
"""


class Decks(unittest.TestCase):
    def test_paths_and_attributes(self):
        deck = carom.Deck(DECK)
        self.assertEqual(deck["contact.0.friction"], 0.2)
        deck.contact[0].friction = np.float64(0.3)
        self.assertEqual(deck["contact"][0]["friction"], 0.3)
        deck["time.method"] = "midpoint"
        self.assertEqual(deck.time.method, "midpoint")
        self.assertIn("time.step", deck)
        self.assertNotIn("time.nothing", deck)
        with self.assertRaises(KeyError):
            deck["contact.5.friction"]
        with self.assertRaises(AttributeError):
            deck.nothing
        copy = deck.copy()
        copy["time.step"] = 1
        self.assertEqual(deck["time.step"], 0.01)
        deck["time.step"] = -1
        with self.assertRaises(carom.DeckError) as caught:
            deck.check()
        self.assertEqual(caught.exception.key, "time.step")

    def test_files_are_found_from_the_deck(self):
        folder = FOLDER / "meshes"
        folder.mkdir(exist_ok=True)
        deck = carom.Deck({"carom": 1, "dimension": 2, "materials": [{"name": "m", "young": 1, "poisson": 0, "density": 1}],
                           "bodies": [{"name": "a", "material": "m", "mesh": {"file": "a.msh"}}],
                           "time": {"method": "midpoint", "step": 1, "end": 1}}, folder=folder)
        self.assertIn(str(folder / "a.msh"), deck.text())

    def test_quoted_numbers_stay_texts(self):
        deck = carom.Deck(DECK + "title: \"12\"\n")
        self.assertEqual(deck["title"], "12")


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = carom.run(carom.Deck(DECK), FOLDER / "run.out", force=True)

    def test_tables(self):
        run = self.run_
        self.assertEqual(len(run.history), 21)
        self.assertEqual(run.history["friction_loss"][-1], run.audit.friction_loss)
        self.assertLess(run.audit.balance, 1e-9)
        self.assertEqual(run.bodies.where(body="a")["mass"].shape, (21,))
        self.assertEqual(run.contacts["both"].force.shape, (21, 3))
        self.assertEqual(run.probes["tip"].velocity.shape, (21, 3))
        np.testing.assert_allclose(run.bodies["a"].momentum[:, 0] + run.bodies["b"].momentum[:, 0],
                                   run.history["momentum_x"], atol=1e-12)
        with self.assertRaises(KeyError):
            run.history["joy"]

    def test_frames(self):
        frames = self.run_.frames
        self.assertEqual(len(frames), len(frames.times))
        np.testing.assert_allclose(frames[0].body("a", "velocity"), np.tile([0.2, -2, 0], (16, 1)))
        last = frames.at(10)
        self.assertEqual(last.time, frames.times[-1])
        tip = last.nodes("a")[0]
        np.testing.assert_allclose(last["displacement"][tip], self.run_.probes["tip"].displacement[-1], atol=1e-15)
        self.assertEqual(len(last.mesh.cells), 24)
        self.assertEqual(len(last.mesh.cells[0]), 4)

    def test_page(self):
        self.assertTrue(self.run_._repr_html_().startswith("<iframe"))

    def test_smooth_keeps_the_impulse(self):
        t, f = self.run_.history["time"], self.run_.contacts["both"].force
        s = carom.smooth(t, f, 0.03)
        self.assertEqual(s.shape, f.shape)
        self.assertLess(np.abs(s[:, 1]).max(), np.abs(f[:, 1]).max())

    def test_failed_runs(self):
        with self.assertRaises(carom.DeckError):
            carom.run(DECK, FOLDER / "run.out")  # an older run is there
        with self.assertRaises(carom.RunFailed) as caught:
            carom.run(DECK, FOLDER / "limit.out", {"audit.balance_relative": 1e-30}, force=True)
        self.assertEqual(len(caught.exception.run.history), 21)

    def test_results_without_the_program(self):
        code = "import carom, sys; sys.exit(carom.open(sys.argv[1]).frames[0]['velocity'].shape[1] != 3)"
        done = subprocess.run([sys.executable, "-c", code, str(FOLDER / "run.out")],
                              env={**os.environ, "CAROM_LIBRARY": "/nowhere", "CAROM": "/nowhere"})
        self.assertEqual(done.returncode, 0)

    def test_cache(self):
        path = FOLDER / "long.csv"
        rows = np.random.default_rng(1).random((100_000, 5))
        np.savetxt(path, rows, delimiter=",", header="a,b,c,d,e", comments="", fmt="%.17g")
        table = read_table(path)
        np.testing.assert_array_equal(table["d"], rows[:, 3])
        self.assertTrue((FOLDER / ".long.csv.npz").exists())
        np.testing.assert_array_equal(read_table(path)["e"], rows[:, 4])
        with open(path, "a") as out:
            out.write("1,2,3,4,5\n6,7")  # a run that goes on is in the middle of a row
        again = read_table(path)
        self.assertEqual((len(again), again["e"][-1]), (100_001, 5))


class Sweeps(unittest.TestCase):
    def test_sweep(self):
        over = {"contact.0.friction": np.linspace(0, 0.2, 3), "time.method": ["dissipative", "explicit"]}
        deck = carom.Deck(DECK)
        deck["time.step"] = 0.005
        table = carom.sweep(deck, over, measure=lambda run: {"loss": run.audit.friction_loss}, workers=2,
                            folder=FOLDER / "sweep.out")
        self.assertEqual(len(table), 6)
        self.assertFalse(table.failures)
        np.testing.assert_array_equal(table["loss"][table["contact.0.friction"] == 0], 0)
        self.assertTrue((table["loss"][table["contact.0.friction"] > 0.1] > 0).all())
        stamps = [(FOLDER / "sweep.out" / f"{k:04d}" / "out" / "audit.json").stat().st_mtime_ns for k in range(6)]
        again = carom.sweep(deck, over, workers=2, folder=FOLDER / "sweep.out")
        self.assertEqual(stamps, [(FOLDER / "sweep.out" / f"{k:04d}" / "out" / "audit.json").stat().st_mtime_ns
                                  for k in range(6)], "what is done is not run again")
        self.assertEqual(len(again.table("friction_loss", "wall_seconds")), 6)
        self.assertEqual(read_table(FOLDER / "sweep.out" / "sweep.csv")["status"].tolist(), ["done"] * 6)

    def test_a_failing_point(self):
        table = carom.sweep(DECK, {"time.step": [0.01, 50]}, folder=FOLDER / "fails.out", workers=1,
                            measure=lambda run: {"steps": run.audit.steps})
        self.assertEqual(table["status"].tolist()[0], "done")
        self.assertEqual(len(table.runs), 2)

    def test_a_wrong_key(self):
        with self.assertRaises((carom.DeckError, KeyError)):
            carom.sweep(DECK, {"contact.0.frction": [1]}, folder=FOLDER / "wrong.out")
        self.assertFalse((FOLDER / "wrong.out").exists())


if __name__ == "__main__":
    unittest.main()
