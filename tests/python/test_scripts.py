"""The script of spec/90 section 2 and the wish list of a new user, in the names that the module has; and the limits of cost that do
not hang on the machine."""
import os
import pathlib
import unittest
import warnings

import numpy as np

import carom

warnings.simplefilter("ignore")
DECK = """carom: 1
title: two wheels
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: left, material: rubber, velocity: [4, 0], spin: 20, mesh: {disc: {radius: 0.1, core: 2, rings: 2}}, position: [-0.11, 0.01]}
  - {name: right, material: rubber, mesh: {disc: {radius: 0.1, core: 2, rings: 2}}, position: [0.11, 0]}
contact: [{between: [left, right], friction: 0.2}]
time: {method: dissipative, step: 5.0e-4, end: 0.02}
output: {frames: 40, probes: [{name: tip, body: left, at: [-0.01, 0.01]}]}
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        pathlib.Path("impact.yaml").write_text(DECK)

    def test_specified(self):
        deck = carom.Deck("impact.yaml")
        deck["contact"][0]["friction"] = 0.3
        run = carom.run(deck, "impact.out", force=True)
        self.assertGreater(run.history["friction_loss"][-1], 0)
        self.assertLess(run.audit.balance, 1e-9)
        self.assertEqual(run.frames[30]["velocity"].shape[1], 3)
        self.assertIn("<iframe", run._repr_html_())

        with carom.Simulation(deck) as sim:
            wheel = sim["left"]
            sim.on_force(wheel, lambda t, x, v: -0.1 * v)
            while sim.step():
                if wheel.velocity[:, 0].mean() < 0:
                    break
            self.assertGreater(sim.ledger["kinetic"], 0)
            self.assertEqual(wheel.position.shape[1], 2)

        table = carom.sweep(deck, {"contact.0.friction": np.linspace(0, 1, 3), "time.method": ["dissipative", "velocity-update"]},
                            measure=lambda run: {"loss": run.audit.friction_loss}, workers=2, folder="sweep.out")
        self.assertEqual(len(table.array), 6)

    def test_wished_for(self):
        deck = carom.load("impact.yaml")
        deck.contact[0].friction = 0.3
        runs = carom.sweep(deck, {"time.step": [5e-4, 2.5e-4], "time.method": ["dissipative", "bipotential"]}, jobs=2, cache="wish")
        self.assertEqual(len(runs.table("friction_loss", "balance_relative", "wall_seconds")), 4)
        run = runs[0]
        t, energy = run.history["time"], run.history["energy"]
        self.assertEqual(t.shape, energy.shape)
        f = run.contacts["left-right"].force
        self.assertEqual(f.shape, (len(t), 3))
        self.assertEqual(run.frame(30).point["displacement"].shape[1], 3)
        self.assertGreater(len(run.frame(30).mesh.cells), 0)
        self.assertEqual(carom.smooth(t, f[:, 0], window=1e-3).shape, t.shape)
        with carom.Simulation(deck) as sim:
            left = sim["left"]
            tip = left.nearest([-0.01, 0.01])
            sim.on_force(left, lambda time, x, v: np.tile([100 * np.sin(50 * time) / len(x), 0], (len(x), 1)))
            while sim.time < 0.01 and sim.step():
                if left.displacement[tip, 1] > 0.01:
                    break
            self.assertGreater(sim.steps, 0)
        study = carom.converge(deck, "wish.converge", of="step", levels=3, quantities=["friction_loss"], force=True)
        self.assertIn("friction_loss", study.table["quantity"][0])

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
