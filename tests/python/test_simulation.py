"""Simulations in process: steps, views, forces, memory, and what must fail cleanly (spec/90, section 4)."""
import gc
import multiprocessing
import os
import resource
import unittest
import warnings

import numpy as np

import carom

warnings.simplefilter("ignore")

BLOCKS = """carom: 1
dimension: 2
materials: [{name: m, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: a, material: m, velocity: [0.2, -2], mesh: {block: {from: [0, 1.01], to: [1, 2.01], elements: [3, 3]}}}
  - {name: b, material: m, mesh: {block: {from: [-0.5, 0], to: [1.5, 1], elements: [5, 3]}}}
contact: [{between: [a, b], friction: 0.2}]
time: {method: dissipative, step: 0.01, end: 0.3}
"""
BALLS = """carom: 1
dimension: 3
bodies:
  - {name: ball, rigid: {sphere: {radius: 0.1}, density: 1000}, position: [0, 0, 1], repeat: {counts: [2, 1, 1], spacing: [1, 1, 1]}}
conditions: [{gravity: [0, 0, -10]}]
time: {method: efda, step: 0.01, end: 0.2}
"""


class Steps(unittest.TestCase):
    def test_same_as_the_command_line(self):
        with carom.Simulation(BLOCKS) as sim:
            while sim.step():
                pass
            ledger = dict(sim.ledger)
            a = sim["a"].position.copy()
        run = carom.run(BLOCKS, "out", {"output.frames": 1}, force=True)
        for name, value in ledger.items():
            self.assertAlmostEqual(value, run.history[name][-1], delta=1e-9 * max(1, abs(value)), msg=name)
        frame = run.frames[-1]
        np.testing.assert_allclose(frame.mesh.points[frame.nodes("a"), :2], a, atol=1e-9)

    def test_advance_and_end(self):
        with carom.Simulation(BLOCKS) as sim:
            self.assertTrue(sim.advance(0.1))
            self.assertAlmostEqual(sim.time, 0.1)
            self.assertEqual(sim.steps, 10)
            while sim.step():
                pass
            self.assertEqual(sim.steps, 30)
            self.assertFalse(sim.step())
            self.assertEqual(sim.steps, 30)
            sim.set("time.end", 0.32)
            self.assertTrue(sim.step())

    def test_advance_goes_no_further(self):
        with carom.Simulation(BLOCKS) as sim:
            for _ in range(2):
                self.assertTrue(sim.advance(0.1))
                self.assertEqual(sim.steps, 10)
            sim.advance(-1)
            self.assertEqual(sim.steps, 10)
            with self.assertRaises(ValueError):
                sim.advance(float("nan"))

    def test_force_functions_do_not_move_the_simulation(self):
        for word in ("step", "close", "advance", "restore"):
            sim = carom.Simulation(BLOCKS)
            saved = sim.save() if word == "restore" else None
            arguments = {"advance": (0.1,), "restore": (saved,)}.get(word, ())
            if saved is not None:  # forces come before the first step, and save() ends that time
                sim.close()
                sim = carom.Simulation(BLOCKS)
            sim.on_force("a", lambda t, x, v: (getattr(sim, word)(*arguments), 0 * x)[1])
            with self.assertRaisesRegex(carom.CaromError, "a force function cannot"):
                sim.step()
            self.assertEqual(sim.steps, 0)
            sim.on_force("a", lambda t, x, v: 0 * x)
            self.assertTrue(sim.step())
            sim.close()

    def test_wrong_arguments(self):
        with carom.Simulation(BLOCKS) as sim:
            with self.assertRaisesRegex(TypeError, "restore needs what save"):
                sim.restore(b"")
            with self.assertRaisesRegex(TypeError, "on_force needs a function"):
                sim.on_force("a", 3)
            with self.assertRaisesRegex(carom.DeckError, "no condition of this name"):
                sim.loads["push"] = 2
        with self.assertRaises(ValueError):
            carom.run(BLOCKS, "none.out", processes=0)
        with self.assertRaisesRegex(TypeError, "must be a list"):
            carom.sweep(BLOCKS, {"contact.0.friction": 0.3}, folder="none.sweep")
        with self.assertRaisesRegex(ValueError, "3 times and 2 values"):
            carom.smooth([1, 2, 3], [1, 2], 0.1)

    def test_views_are_no_copies(self):
        with carom.Simulation(BLOCKS) as sim:
            v = sim["a"].velocity
            self.assertTrue(np.shares_memory(v, sim["a"].velocity))
            self.assertTrue(np.shares_memory(sim["a"].displacement, sim["a"].displacement))
            self.assertFalse(v.flags.writeable)
            self.assertEqual(v.shape, (16, 2))
            np.testing.assert_array_equal(v, np.tile([0.2, -2], (16, 1)))
            np.testing.assert_array_equal(sim["a"].node, np.arange(16))
            np.testing.assert_allclose(sim["a"].position, sim["a"].reference)

    def test_two_at_once(self):
        with carom.Simulation(BLOCKS) as one, carom.Simulation(BLOCKS, {"contact.0.friction": 0.05}) as two:
            for _ in range(30):
                self.assertEqual(one.step(), two.step())
            both = one.ledger["friction_loss"], two.ledger["friction_loss"]
        for value, mu in zip(both, (0.2, 0.05)):
            with carom.Simulation(BLOCKS, {"contact.0.friction": mu}) as alone:
                alone.advance(0.3)
                self.assertEqual(alone.ledger["friction_loss"], value)
        self.assertNotEqual(*both)

    def test_contact_force_is_the_pair_force(self):
        with carom.Simulation(BLOCKS) as sim:
            while sim.step() and not sim.ledger["contacts"]:
                pass
            sim.step()
            np.testing.assert_allclose(sim["a"].contact_force.sum(axis=0), sim.pair_force[0, :2], rtol=1e-9)
            self.assertGreater(sim.pair_force[0, 1], 0)

    def test_probes(self):
        probed = BLOCKS + "output: {probes: [{name: tip, body: a, at: [1, 1]}, {name: foot, surface: a.bottom}]}\n"
        with carom.Simulation(probed) as sim:
            sim.advance(0.05)
            row = sim["a"].nearest([1, 1])
            np.testing.assert_array_equal(sim.probe("tip").u[:2], sim["a"].displacement[row])
            np.testing.assert_array_equal(sim.probe("foot.3").velocity[:2], sim["a"].velocity[row])
            np.testing.assert_array_equal(sim.probe("tip").contact_force[:2], sim["a"].contact_force[row])
            with self.assertRaises(carom.DeckError):
                sim.probe("tap")

    def test_friction_changes(self):
        with carom.Simulation(BLOCKS) as sim:
            sim.set("contact.0.friction", 0)
            while sim.step():
                pass
            self.assertEqual(sim.ledger["friction_loss"], 0)
            self.assertGreater(sim.ledger["contacts"] + abs(sim["a"].velocity[:, 1]).max(), 0)

    def test_rigid_bodies(self):
        with carom.Simulation(BALLS) as sim:
            ball = sim["ball"]
            self.assertTrue(ball.is_rigid)
            self.assertEqual(ball.position.shape, (2, 3))
            np.testing.assert_allclose(ball.rotation, [[1, 0, 0, 0]] * 2)
            while sim.step():
                pass
            np.testing.assert_allclose(ball.velocity[:, 2], -2, rtol=1e-12)
            np.testing.assert_allclose(ball.position[:, 2], 1 - 5 * 0.04, rtol=1e-12)


class Forces(unittest.TestCase):
    def test_work_is_in_the_ledger(self):
        for method in ("dissipative", "midpoint", "newmark", "velocity-update", "bipotential", "explicit"):
            sets = {"time.method": method, "time.step": 0.001, "time.end": 0.2, "bodies.0.velocity": [0.5, 0]}
            with carom.Simulation(BLOCKS, sets) as sim:
                push = lambda t, x, v: np.full_like(x, 0.1) * [1, 0]
                sim.on_force("a", push)
                mass = 1.0
                while sim.step():
                    pass
                force = 0.1 * 16
                self.assertAlmostEqual(sim.ledger["momentum_x"], mass * 0.5 + force * 0.2, delta=1e-2, msg=method)
                work = force * (0.5 * 0.2 + 0.5 * force * 0.04)
                self.assertAlmostEqual(sim.ledger["external_work"], work, delta=0.02 * work, msg=method)
                self.assertAlmostEqual(sim.ledger["energy"], 0.125 + sim.ledger["external_work"], delta=1e-5, msg=method)

    def test_exact_under_conserving_methods(self):
        with carom.Simulation(BLOCKS) as sim:
            sim.on_force(sim["a"], lambda t, x, v: -0.05 * v)
            while sim.step():
                pass
            self.assertLess(abs(sim.ledger["balance"]), 1e-10)
            self.assertLess(sim.ledger["external_work"], -0.01)

    def test_loads_of_the_deck(self):
        pushed = BLOCKS + "conditions: [{name: push, force: [3, 0], on: a}, {fix: [x, y], on: b.bottom}]\n"
        for method in ("dissipative", "newmark", "velocity-update", "bipotential", "explicit"):
            sets = {"time.method": method, "time.step": 0.001, "time.end": 0.2, "bodies.0.velocity": [0.5, 0]}
            with carom.Simulation(pushed, sets) as sim:
                sim.loads["push"] = 2
                sim.advance(0.1)
                sim.loads[0] = 0
                sim.advance(0.2)
                self.assertAlmostEqual(sim.ledger["external_work"], 6 * (0.5 * 0.1 + 0.5 * 6 * 0.01), delta=0.012,
                                       msg=method)
                with self.assertRaises(carom.DeckError):
                    sim.loads["pull"] = 1
                with self.assertRaises(carom.DeckError):
                    sim.loads[1] = 1
                with self.assertRaises(carom.DeckError):
                    sim.loads["push"] = float("nan")

    def test_rigid(self):
        with carom.Simulation(BALLS) as sim:
            mass = 1000 * 4 / 3 * np.pi * 1e-3
            sim.on_force("ball", lambda t, x, v: [[mass, 0, 0], [0, 0, 0]])
            while sim.step():
                pass
            np.testing.assert_allclose(sim["ball"].velocity[:, 0], [0.2, 0], atol=1e-12)

    def test_what_raises(self):
        class Own(Exception):
            pass

        def fail(t, x, v):
            if t > 0.05:
                raise Own("enough")
            return np.zeros_like(x)

        with carom.Simulation(BLOCKS) as sim:
            sim.on_force("a", fail)
            with self.assertRaises(Own):
                while sim.step():
                    pass
            self.assertEqual(sim.steps, 6)
            sim.on_force("a", None)
            self.assertTrue(sim.step())

    def test_wrong_results(self):
        for bad in (lambda t, x, v: np.full_like(x, np.nan), lambda t, x, v: np.zeros(3), lambda t, x, v: None):
            with carom.Simulation(BLOCKS) as sim:
                sim.on_force("a", bad)
                with self.assertRaises((ValueError, TypeError)):
                    sim.step()
                self.assertEqual(sim.steps, 0)

    def test_too_late(self):
        with carom.Simulation(BLOCKS) as sim:
            sim.step()
            with self.assertRaises(carom.DeckError):
                sim.on_force("a", lambda t, x, v: x)
            with self.assertRaises(carom.DeckError):
                sim.on_force("nobody", None)


class Memory(unittest.TestCase):
    def test_back_and_again(self):
        for method in ("dissipative", "newmark", "velocity-update", "bipotential", "explicit"):
            with carom.Simulation(BLOCKS, {"time.method": method, "time.step": 0.004}) as sim:
                sim.advance(0.1)
                saved = sim.save()
                sim.advance(0.3)
                end = dict(sim.ledger), sim["a"].displacement.copy()
                sim.restore(saved)
                self.assertAlmostEqual(sim.time, 0.1)
                sim.advance(0.3)
                again = dict(sim.ledger), sim["a"].displacement.copy()
                for name in end[0]:
                    self.assertAlmostEqual(end[0][name], again[0][name], delta=1e-12, msg=f"{method} {name}")
                np.testing.assert_allclose(again[1], end[1], atol=1e-13, err_msg=method)

    def test_of_another(self):
        with carom.Simulation(BLOCKS) as one, carom.Simulation(BLOCKS) as two:
            with self.assertRaises(carom.CaromError):
                two.restore(one.save())

    @unittest.skipIf(os.environ.get("LD_PRELOAD"), "sanitizers keep what is freed")
    def test_no_growth(self):
        def once():
            with carom.Simulation(BLOCKS) as sim:
                sim.step()

        for _ in range(60):
            once()
        gc.collect()
        before = resident()
        for _ in range(1000):
            once()
        gc.collect()
        self.assertLess(resident() - before, 1000 * 1024, "less than a kilobyte per simulation")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def in_child(end):
    try:
        carom.Simulation(BLOCKS)
        end.send("opened")
    except carom.MachineError as problem:
        end.send(str(problem))


class Failures(unittest.TestCase):
    def test_closed(self):
        sim = carom.Simulation(BLOCKS)
        body = sim["a"]
        sim.close()
        sim.close()
        for act in (sim.step, lambda: body.velocity, lambda: sim.time, lambda: sim["a"], lambda: sim.ledger["kinetic"],
                    sim.save, lambda: sim.set("time.end", 1)):
            with self.assertRaises(carom.CaromError):
                act()

    def test_view_after_the_end(self):
        sim = carom.Simulation(BLOCKS)
        v, kept = sim["a"].velocity, {}
        sim.on_force("a", lambda t, x, w: kept.update(x=x) or np.zeros_like(x))
        part, copy, picked, plain = v[:, 1], v.copy(), v[[0, 3]], np.asarray(v)
        self.assertEqual(part.mean(), -2)
        sim.step()
        sim.close()
        for use in (lambda: v[0, 0], lambda: v + 1, lambda: v.mean(), lambda: part.sum(), lambda: part[0], lambda: list(v),
                    lambda: np.linalg.norm(v), lambda: np.concatenate([v, v]), lambda: v.copy(), lambda: v.T[0],
                    lambda: v.tolist(), lambda: repr(v), lambda: v == v, lambda: v @ v.T, lambda: kept["x"].max()):
            with self.assertRaises(carom.CaromError):
                use()
        with carom.Simulation(BLOCKS) as other:  # memory of the first one would be used again
            other.advance(0.1)
            for still in (copy[:2], picked, plain[:2]):  # copies, and what NumPy made plain, keep their numbers
                np.testing.assert_array_equal(still, [[0.2, -2]] * 2)

    def test_views_before_a_force(self):
        with carom.Simulation(BLOCKS) as sim:
            x, v = sim["a"].position, sim["a"].velocity
            sim.on_force("a", lambda t, x, v: -v)
            sim.on_force("b", lambda t, x, v: -v)
            sim["a"].position, sim["b"].position
            np.testing.assert_array_equal(v, [[0.2, -2]] * 16)
            np.testing.assert_allclose(x, sim["a"].reference)

    def test_what_may_not_change(self):
        with carom.Simulation(BLOCKS, {"contact.0.friction": 0}) as sim:
            for key, value in (("time.step", 0.1), ("bodies.0.velocity", 1), ("contact.0.friction", 0.2),
                               ("contact.7.friction", 0.2), ("time.end", -1), ("", 0)):
                with self.assertRaises(carom.DeckError, msg=key):
                    sim.set(key, value)

    def test_names(self):
        with carom.Simulation(BLOCKS) as sim:
            with self.assertRaises(KeyError):
                sim["c"]
            with self.assertRaises(KeyError):
                sim.ledger["joy"]
            with self.assertRaises(carom.DeckError):
                sim["a"].spin

    def test_gives_up(self):
        sets = {"time.step": 50, "time.end": 100, "time.adaptive": False, "bodies.0.velocity": [0, -2000]}
        with carom.Simulation(BLOCKS, sets) as sim:
            taken, x = 0, None
            with self.assertRaises(carom.RunFailed):
                while True:
                    taken, x = sim.steps, sim["a"].position.copy()
                    self.assertTrue(sim.step())
            self.assertEqual(sim.steps, taken)
            np.testing.assert_array_equal(sim["a"].position, x)

    def test_bad_decks(self):
        with self.assertRaises(carom.DeckError) as caught:
            carom.Deck("carom: 1\ndimension: 2\ntme: {}\n")
        self.assertEqual((caught.exception.line, caught.exception.hint), (3, "did you mean \"time\"?"))
        for bad in ("nothing.yaml", "carom: 1\n", "[\n", {"carom": 1}, BLOCKS.replace("young", "yung")):
            with self.assertRaises(carom.DeckError):
                carom.Simulation(bad)

    def test_after_fork(self):
        carom.Simulation(BLOCKS).close()
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=in_child, args=(there,))
        child.start()
        there.close()  # a child that dies without a word ends the wait
        self.assertIn("spawn", here.recv())
        child.join()

    def test_versions(self):
        import subprocess
        import sys
        from carom import _library
        for names, words in ((["carom_version"], "is older than this module"), (_library._SIGNATURES, "install matching versions")):
            with open("other.c", "w") as out:
                out.writelines(f"int {name}(void) {{ return 99; }}\n" for name in names)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", "other.so", "other.c"], check=True)
            done = subprocess.run([sys.executable, "-c", "import carom; carom.Deck('carom: 1\\n')"], text=True,
                                  env={**os.environ, "CAROM_LIBRARY": os.path.abspath("other.so"), "LD_PRELOAD": ""},
                                  capture_output=True)
            self.assertIn("MachineError", done.stderr)
            self.assertIn(words, done.stderr)

    def test_other_library(self):
        import subprocess
        import sys
        for place, words in (("/nowhere/libcarom.so", "not found"), (np.__file__, "cannot be loaded")):
            done = subprocess.run([sys.executable, "-c", "import carom; carom.Deck('carom: 1\\n')"], text=True,
                                  env={**os.environ, "CAROM_LIBRARY": place, "LD_PRELOAD": ""}, capture_output=True)
            self.assertIn("MachineError", done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
