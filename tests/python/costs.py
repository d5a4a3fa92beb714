"""The models whose costs tests/python/test_costs.py limits and bench/python.py prints."""
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
