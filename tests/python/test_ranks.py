"""Several processes: arrays of all of them, and failures of one of them that must not make the others wait for ever."""
import os
import pathlib
import resource
import subprocess
import sys
import unittest

import numpy as np

import carom
from test_simulation import BALLS, BLOCKS

LONG = 1800  # seconds of the processor: a process that waits for ever spins, and only such a one reaches this


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LONG, LONG))


@unittest.skipIf(os.environ.get("LD_PRELOAD"), "mpiexec under sanitizers")
class Ranks(unittest.TestCase):
    def start(self, script, count=2):
        """Runs a script by so many processes; its words, and its exit code."""
        head = ("import os, sys, numpy as np, carom\n"
                "rank = int(os.environ['OMPI_COMM_WORLD_RANK'])\n"
                "def say(*words): os.write(1, (' '.join(map(repr, words)) + '\\n').encode())\n"
                f"BLOCKS, BALLS = {BLOCKS!r}, {BALLS!r}\n")
        pathlib.Path("ranks.py").write_text(head + script)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OMPI_MCA_ess")}
        done = subprocess.run(["mpiexec", "--oversubscribe", "-n", str(count), sys.executable, "ranks.py"], text=True,
                              capture_output=True, env=environment, preexec_fn=limit)
        return done.stdout.splitlines(), done.returncode, done.stderr

    def test_gather(self):
        lines, code, errors = self.start(
            "with carom.Simulation(BLOCKS) as sim, carom.Simulation(BLOCKS, gather=True) as whole:\n"
            "    sim.advance(0.1), whole.advance(0.1)\n"
            "    a = sim['a']\n"
            "    x = a.array('position', gather=True)\n"
            "    assert (x[a.node] == a.position).all()\n"
            "    assert np.allclose(whole['a'].position, x, rtol=0, atol=1e-10) and (whole['a'].node == range(16)).all()\n"
            "    np.save(f'x{rank}.npy', x), np.save(f'v{rank}.npy', whole['a'].velocity)\n"
            "    say(len(a.node))\n"
            "with carom.Simulation(BALLS, gather=True) as sim:\n"
            "    assert sim['ball'].position.shape == (2, 3)\n"
            "    try: sim['ball'].displacement\n"
            "    except carom.DeckError: say('refused')\n", 3)
        self.assertEqual(code, 0, errors[-800:])
        self.assertEqual(lines.count("'refused'"), 3)
        self.assertEqual(sum(int(line) for line in lines if line.isdigit()), 16)
        with carom.Simulation(BLOCKS) as sim:
            sim.advance(0.1)
            for rank in range(3):
                np.testing.assert_allclose(np.load(f"x{rank}.npy"), sim["a"].position, atol=1e-10)
                np.testing.assert_allclose(np.load(f"v{rank}.npy"), sim["a"].velocity, atol=1e-8)

    def test_gather_alone(self):
        with carom.Simulation(BLOCKS) as sim:
            x = sim["a"].array("position", gather=True)
            np.testing.assert_array_equal(x, sim["a"].position)
            self.assertFalse(np.shares_memory(x, sim["a"].array("position", gather=True)))
            with self.assertRaises(carom.DeckError):
                sim["a"].array("joy", gather=True)

    def test_probe(self):
        lines, code, errors = self.start(
            "deck = BLOCKS + 'output: {probes: [{name: tip, body: a, at: [1, 2]}, {name: end, body: b, at: [1.5, 0]}]}\\n'\n"
            "with carom.Simulation(deck) as sim:\n"
            "    sim.advance(0.02)\n"
            "    say(*sim.probe('tip').v[:2], *sim.probe('end').v[:2])\n")
        self.assertEqual(code, 0, errors[-800:])
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[0], lines[1])
        np.testing.assert_allclose(np.array(lines[0].split(), float)[:2], [0.2, -2], atol=0.3)

    def test_deck_that_fails_on_one(self):
        for bad in ("BLOCKS.replace('young', 'yung')", "BLOCKS.replace('0.3}', '0.7}', 1)", "'carom: 1\\n'", "'nothing.yaml'"):
            lines, code, errors = self.start(
                f"for which in (0, 1):\n"
                f"    try: carom.Simulation({bad} if rank == which else BLOCKS); say('opened')\n"
                "    except carom.DeckError as problem: say(str(problem))\n"
                "with carom.Simulation(BLOCKS) as sim: say(sim.step())\n")
            self.assertEqual(code, 0, errors[-800:])
            self.assertEqual(len(lines), 6, lines)
            self.assertNotIn("'opened'", lines)
            self.assertEqual(lines.count("True"), 2, "all can go on")

    def test_decks_that_differ(self):
        lines, code, errors = self.start(
            "for sets in ({'contact.0.friction': 0.1 * (rank + 1)}, {'time.stp': 1} if rank else {}):\n"
            "    try: carom.Simulation(BLOCKS, sets); say('opened')\n"
            "    except carom.DeckError as problem: say('refused', str(problem))\n")
        self.assertEqual(code, 0, errors[-800:])
        self.assertEqual([line.split()[0] for line in lines], ["'refused'"] * 4, lines)

    def test_force_that_raises_on_one(self):
        lines, code, errors = self.start(
            "def push(t, x, v):\n"
            "    if t > 0.05 and rank == 1: raise ArithmeticError('enough')\n"
            "    return 0 * x\n"
            "with carom.Simulation(BLOCKS) as sim:\n"
            "    sim.on_force('a', push)\n"
            "    try:\n"
            "        while sim.step(): pass\n"
            "    except (ArithmeticError, carom.RunFailed) as problem: say(type(problem).__name__, sim.steps)\n")
        self.assertEqual(code, 0, errors[-800:])
        self.assertEqual(sorted(lines), ["'ArithmeticError' 6", "'RunFailed' 6"])

    def test_script_that_ends_on_one(self):
        for begin in ("with carom.Simulation(BLOCKS) as sim:\n", "sim = carom.Simulation(BLOCKS)\nif True:\n"):
            lines, code, errors = self.start(
                begin +
                "    sim.step()\n"
                "    if rank == 1: raise KeyError('mine')\n"
                "    sim.advance(0.3)\n"
                "say('over')\n")
            self.assertNotEqual(code, 0)
            self.assertIn("KeyError: 'mine'", errors)
            self.assertNotIn("'over'", lines)


if __name__ == "__main__":
    unittest.main()
