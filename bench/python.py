#!/usr/bin/env python3
"""Costs of the Python module (time of the processor): steps beside the command line, a view of 10^6 nodes, a long table.

usage: PYTHONPATH=python /usr/bin/python3 bench/python.py"""
import os
import resource
import tempfile
import time

import numpy as np

import carom
from carom.results import read_table
from carom.running import call

DISKS = """carom: 1
dimension: 2
bodies:
  - {name: a, rigid: {disk: {radius: 0.1}, density: 1000}, position: [0, 0.3], velocity: [1, 0]}
  - {name: b, rigid: {disk: {radius: 0.1}, density: 1000}, position: [0.5, 0.3]}
  - {name: c, rigid: {disk: {radius: 0.1}, density: 1000}, position: [-0.5, 0.3]}
conditions: [{gravity: [0, -10]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{default: {friction: 0.1, restitution: 0.5}}]
time: {method: efda, step: 1.0e-4, end: 10}
output: {frames: 0, report: false, every: 1000000}
"""


def block(side):
    """A cube of side^3 elements."""
    return {"carom": 1, "dimension": 3, "materials": [{"name": "m", "young": 1, "poisson": 0.3, "density": 1}],
            "bodies": [{"name": "b", "material": "m",
                        "mesh": {"block": {"from": [0, 0, 0], "to": [1, 1, 1], "elements": [side, side, side]}}}],
            "time": {"method": "explicit", "step": "auto", "end": 1}}


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
