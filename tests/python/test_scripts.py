"""Two scripts as their authors wrote them: script_specified.py, which the module was planned by, and script_wished.py, which a
new user wished for before there was a module. They run as they are, on a small deck."""
import importlib.util
import os
import pathlib
import runpy
import shutil
import struct
import sys
import types
import unittest
import warnings
import zlib

import numpy as np

import carom

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
DECK = """carom: 1
title: two wheels
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: left, material: rubber, velocity: [4, 0], spin: 20, mesh: {disc: {radius: 0.1, core: 2, rings: 2}}, position: [-0.11, 0.01]}
  - {name: right, material: rubber, mesh: {disc: {radius: 0.1, core: 2, rings: 2}}, position: [0.11, 0]}
contact: [{between: [left, right], friction: 0.2}]
conditions: [{name: push, on: left, force: [0.1, 0]}]
time: {method: dissipative, step: 5.0e-4, end: 0.02}
output: {frames: 40, probes: [{name: tip, body: left, at: [-0.01, 0.01]}]}
"""


def stand_in(name):
    """A module of which nothing is known but its name; it keeps what is called."""
    calls = []
    module = types.ModuleType(name)
    thing = types.SimpleNamespace(**{word: (lambda *a, _word=word, **k: calls.append((_word, a)))
                                     for word in ("loglog", "set_xlabel", "set_ylabel", "legend")})
    module.plot = lambda *a: calls.append(("plot", a))
    module.gca = lambda: thing
    return module, calls


class Scripts(unittest.TestCase):
    def setUp(self):
        pathlib.Path("impact.yaml").write_text(DECK)

    def test_specified(self):
        shutil.rmtree("impact.out", ignore_errors=True)
        shutil.rmtree("sweep.out", ignore_errors=True)
        space = runpy.run_path(str(HERE / "script_specified.py"))
        run, table, wheel = space["run"], space["table"], space["wheel"]
        self.assertGreater(run.history["friction_loss"][-1], 0)
        self.assertLess(run.audit.balance, 1e-9)
        self.assertEqual(run.frames[30]["velocity"].shape[1], 3)
        self.assertIn("<iframe", run._repr_html_())
        self.assertEqual(len(table.array), 42)
        self.assertFalse(table.failures)
        self.assertEqual((table["loss"] > 0).sum(), 40)  # all but those without friction
        with self.assertRaises(carom.CaromError):
            wheel.velocity  # the simulation is closed

    def test_wished_for(self):
        calls = []
        if not importlib.util.find_spec("matplotlib"):
            sys.modules["matplotlib"] = types.ModuleType("matplotlib")
            sys.modules["matplotlib.pyplot"], calls = stand_in("matplotlib.pyplot")
            sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"]
        else:
            import matplotlib
            matplotlib.use("Agg")
        if not shutil.which("ffmpeg"):  # the film itself is test_film's affair
            tool = pathlib.Path("tools/ffmpeg")
            tool.parent.mkdir(exist_ok=True)
            tool.write_text('#!/bin/bash\nfor last; do :; done\nls "$(dirname "$7")" > "$last"\n')
            tool.chmod(0o755)
            os.environ["PATH"] += os.pathsep + str(tool.parent.resolve())
        for old in ("sweep", "converge-step.out"):
            shutil.rmtree(old, ignore_errors=True)
        space = runpy.run_path(str(HERE / "script_wished.py"))
        self.assertEqual(len(space["runs"]), 6)
        self.assertEqual(space["t"].shape, space["E"].shape)
        self.assertEqual(space["f"].shape, (len(space["t"]), 3))
        self.assertEqual(space["u"].shape[1], 3)
        self.assertGreater(pathlib.Path("impact.mp4").stat().st_size, 0)
        if calls:
            self.assertEqual([name for name, _ in calls].count("plot"), 2)
            self.assertEqual(len([a for name, a in calls if name == "loglog"][0][1]), 4)
        self.assertIn('data-field=&quot;von-mises&quot;', str(getattr(space["run"].show("von-mises"), "data",
                                                                      space["run"].show("von-mises"))))

    def test_film(self):
        run = carom.run(DECK, "film.out", {"output.frames": 3, "time.end": 0.003}, force=True)
        data = run.save_film("film.png", field="velocity", size="200").read_bytes()
        kinds = [kind for kind, _ in chunks(data)]
        self.assertEqual((kinds[0], kinds[-1], kinds.count(b"fcTL")), (b"IHDR", b"IEND", len(run.frames)))
        numbers = [struct.unpack(">I", body[:4])[0] for kind, body in chunks(data) if kind in (b"fcTL", b"fdAT")]
        self.assertEqual(numbers, list(range(len(numbers))), "chunks of an animation are numbered")
        width, height = struct.unpack(">II", dict(chunks(data))[b"IHDR"][:8])
        for k in range(len(run.frames)):  # every frame is a whole picture
            self.assertEqual(len(zlib.decompress(pixels(data, k))) % height, 0)
        with self.assertRaises(carom.CaromError):
            run.save_film("film.png", field="joy")

    def test_smooth_needs_times(self):
        run = carom.run(DECK, "smooth.out", {"output.frames": 0, "time.end": 0.005}, force=True)
        force = run.contacts["left-right"].force
        np.testing.assert_array_equal(carom.smooth(force[:, 0], window=1e-3),
                                      carom.smooth(run.history["time"], force[:, 0], 1e-3))
        with self.assertRaises(TypeError):
            carom.smooth(force[2:, 0], window=1e-3)

    def test_two_processes(self):
        script = pathlib.Path("ranks.py")
        script.write_text("import carom, os\n"
                          "with carom.Simulation('impact.yaml') as sim:\n"
                          "    sim.advance(0.005)\n"
                          "    line = f\"{len(sim['left'].node)} {sim.ledger['kinetic']!r}\\n\"\n"
                          "    os.write(1, line.encode())\n")  # one piece, so that lines do not mix
        import subprocess
        import sys
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OMPI_MCA_ess")}
        if environment.get("LD_PRELOAD"):
            self.skipTest("mpiexec under sanitizers")
        done = subprocess.run(["mpiexec", "--oversubscribe", "-n", "2", sys.executable, str(script)], text=True,
                              capture_output=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr[-500:])
        lines = [line.split() for line in done.stdout.splitlines()]
        with carom.Simulation("impact.yaml") as sim:
            sim.advance(0.005)
            self.assertEqual(sum(int(line[0]) for line in lines), len(sim["left"].node))
            for line in lines:
                self.assertAlmostEqual(float(line[1]), sim.ledger["kinetic"], delta=1e-9 * sim.ledger["kinetic"])


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += size + 12


def pixels(data, frame):
    """The compressed numbers of a frame of an animated PNG."""
    found, k = b"", -1
    for kind, body in chunks(data):
        k += kind == b"fcTL"
        if k == frame and kind in (b"IDAT", b"fdAT"):
            found += body[4 if kind == b"fdAT" else 0:]
    return found


class Fit(unittest.TestCase):
    """Restitution of a viscous ball against speed: the moduli of its branch are found again."""

    def test_fit(self):
        try:
            from scipy.optimize import least_squares
        except ImportError:
            self.skipTest("scipy is not there")
        deck = carom.Deck({
            "carom": 1, "dimension": 2,
            "materials": [{"name": "m", "model": "neo-hookean", "young": 2e6, "poisson": 0.3, "density": 1100,
                           "prony": [{"shear": 4e5, "time": 2e-3}]}],
            "bodies": [{"name": "ball", "material": "m", "velocity": [0, -4],
                        "mesh": {"disc": {"radius": 0.05, "core": 2, "rings": 1}}, "position": [0, 0.0505]}],
            "obstacles": [{"name": "floor", "plane": {"point": [0, 0], "normal": [0, 1]}}],
            "contact": [{"between": ["ball", "floor"]}],
            "time": {"method": "dissipative", "step": 4e-4, "end": 0.016}})

        def restitution(speed, shear, time):
            sets = {"bodies.0.velocity": [0, -speed], "materials.0.prony": [{"shear": shear, "time": time}]}
            with carom.Simulation(deck, sets) as sim:
                start = sim.ledger["momentum_y"]
                while sim.step():
                    pass
                return -sim.ledger["momentum_y"] / start

        speeds = (1.0, 2.0, 4.0)
        measured = [restitution(v, 4e5, 2e-3) for v in speeds]
        self.assertTrue(all(0.5 < e < 1 for e in measured), measured)
        found = least_squares(lambda p: [restitution(v, 1e5 * np.exp(p[0]), 2e-3) - e for v, e in zip(speeds, measured)], [1.0],
                              diff_step=1e-3)
        self.assertAlmostEqual(1e5 * np.exp(found.x[0]) / 4e5, 1, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
