#!/usr/bin/env python3
"""Costs of the Python module (time of the processor): steps beside the command line, a view of 10^6 nodes, a long table.

usage: PYTHONPATH=python /usr/bin/python3 bench/python.py"""
import os
import pathlib
import resource
import sys
import tempfile
import time

import numpy as np

import carom
from carom.results import read_table
from carom.running import call

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "python"))
from costs import DISKS, block


def steps() -> None:
    with carom.Simulation(DISKS) as sim:
        begin = time.process_time()
        while sim.step():
            pass
        own = time.process_time() - begin
    with open("disks.yaml", "w") as out:
        out.write(DISKS)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    call(["run", "disks.yaml", "-o", "out", "--force"])
    other = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"10^5 steps of three disks: {own:.2f} s from Python, {other:.2f} s by the command line (at most 1.5 times)")


def views() -> None:
    with carom.Simulation(block(99)) as sim:
        body = sim["b"]
        begin = time.process_time()
        for _ in range(1000):
            body.velocity
        print(f"a view of 10^6 nodes: {1e3 * (time.process_time() - begin):.1f} us (at most 10)")


def tables() -> None:
    rows = "".join(",".join("%.17g" % x for x in row) + "\n" for row in np.random.rand(1000, 23))
    with open("long.csv", "w") as out:
        out.write(",".join(f"c{k}" for k in range(23)) + "\n" + 1000 * rows)
    for limit in (10, 1):
        begin = time.process_time()
        read_table("long.csv")
        print(f"a table of 10^6 rows: {time.process_time() - begin:.2f} s (at most {limit})")


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    steps()
    views()
    tables()
    os.chdir("/")
