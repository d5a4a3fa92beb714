"""What the module costs, in time of the processor, so that other work on the machine does not count."""
import os
import pathlib
import resource
import time
import unittest

import numpy as np

import carom
from carom.results import read_table
from carom.running import call
from costs import DISKS, block


def processor(function, *given):
    begin = time.process_time()
    function(*given)
    return time.process_time() - begin


@unittest.skipIf(os.environ.get("LD_PRELOAD"), "sanitizers have costs of their own")
class Costs(unittest.TestCase):
    def test_steps(self):
        """10^5 steps of three disks: at most 1.5 times the command line, and 20 us a step more."""
        pathlib.Path("disks.yaml").write_text(DISKS)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, lines = call(["run", "disks.yaml", "-o", "disks.out", "--force"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(status, 0, lines)
        other = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with carom.Simulation(DISKS) as sim:
            def all_steps():
                while sim.step():
                    pass

            own = processor(all_steps)
            self.assertEqual(sim.steps, 100_000)
        print(f"10^5 steps: {own:.2f} s, by the command line {other:.2f} s")
        self.assertLess(own, 1.5 * other)
        self.assertLess((own - other) / 1e5, 20e-6)

    def test_views(self):
        """A view costs 10 us at most, whatever its size: nothing is copied."""
        with carom.Simulation(block(30)) as sim:
            body = sim["b"]
            self.assertTrue(np.shares_memory(body.velocity, body.velocity))
            cost = min(processor(lambda: [body.velocity for _ in range(1000)]) / 1000 for _ in range(5))
            self.assertEqual(len(body.velocity), 31**3)
        print(f"a view: {1e6 * cost:.1f} us")
        self.assertLess(cost, 10e-6)

    def test_tables(self):
        """10^6 rows in 10 s, and in 1 s the next time: here a tenth of each."""
        rows = "".join(",".join("%.17g" % x for x in row) + "\n" for row in np.random.default_rng(3).random((1000, 23)))
        pathlib.Path("tall.csv").write_text(",".join(f"c{k}" for k in range(23)) + "\n" + 100 * rows)
        pathlib.Path(".tall.csv.npz").unlink(missing_ok=True)
        first, again = processor(read_table, "tall.csv"), min(processor(read_table, "tall.csv") for _ in range(3))
        print(f"a table of 10^5 rows: {first:.2f} s, again {again:.3f} s")
        self.assertLess(first, 1)
        self.assertLess(again, 0.1)


if __name__ == "__main__":
    unittest.main()
