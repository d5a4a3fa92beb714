"""velocity-update with friction as a user meets it: oblique impact, sliding to rest, blocks that must hold.

usage: velocity_update_cases.py [NAME...]     (all cases; $CAROM is the program)
"""

import sys

import contact_cases as cases
from contact_cases import Run, check, good

STEPS = (4e-3, 2e-3, 1e-3)


def penalty(value):
    return f", normal_penalty: {value}, tangential_penalty: {value}" if value else ""


def loss_of(run):
    return run.history[-1]["friction_loss"]


def ledger(run, what, scale):
    """It ended well, energy is exact, and no step gives friction losses back."""
    if not good(run, what, None):
        return False
    worst = max(abs(row["balance"]) for row in run.history)
    check(worst < 1e-10 * scale, f"{what}: balance {worst:.1e}")
    losses = [row["friction_loss"] for row in run.history]
    fall = max(a - b for a, b in zip(losses, losses[1:]))
    check(fall < 1e-12 * scale, f"{what}: a step gives {fall:.1e} back")
    return True


# ---- oblique impact: a soft block slides all the time; mu times the normal impulse times the way of its foot is lost


def oblique(step, time="", kn=None, model="saint-venant-kirchhoff", end=0.35):
    return Run(f"""carom: 1
dimension: 2
materials: [{{name: m, model: {model}, young: 2.0e5, poisson: 0.3, density: 1000}}]
bodies:
  - {{name: b, mesh: {{block: {{from: [0, 0.02], to: [1, 1.02], elements: [4, 4]}}}}, material: m, velocity: [5, -1]}}
obstacles: [{{name: floor, plane: {{point: [0, 0], normal: [0, 1]}}}}]
contact: [{{between: [b, floor], friction: 0.12{penalty(kn)}}}]
time: {{{time or 'method: velocity-update'}, step: {step}, end: {end}}}
output: {{frames: 0}}
""")


def oblique_block():
    """The loss does not depend on the step or the penalty, and the block leaves more slowly than it came."""
    local, spread, augmented = ("method: velocity-update, " + key for key in ("update: local", "update: spread", "enforcement: augmented"))
    for kn, time in ((1e6, local), (1e7, local), (1e8, local), (1e9, local), (None, local), (1e8, spread), (1e8, augmented)):
        losses = []
        for step in STEPS:
            what = f"oblique block, {kn}, {time}, step {step}"
            run = oblique(step, time, kn)
            if not ledger(run, what, 13000):
                continue
            end = run.history[-1]
            losses.append(loss_of(run))
            check(1020 < loss_of(run) < 1080, f"{what}: loss {loss_of(run)}")
            check(0 < end["momentum_y"] / 1000 < 1, f"{what}: leaves with {end['momentum_y'] / 1000}")
            push, drag = (sum(row[k] * h["h"] for row, h in zip(run.contacts, run.history)) for k in ("fy", "fx"))
            check(abs(push - end["momentum_y"] - 1000) < 1e-6, f"{what}: impulse {push}")
            check(abs(drag / push + 0.12) < 1e-9, f"{what}: friction {drag / push} of the normal impulse")
        check(losses and max(losses) < 1.02 * min(losses), f"oblique block, {kn}, {time}: losses {losses}")


def oblique_paper():
    """Impulses along the tractions lose less and less friction as the step becomes smaller."""
    run = oblique(1e-3, "method: velocity-update, impulse_friction: paper", 1e8)
    if ledger(run, "paper", 13000):
        check(loss_of(run) < 200, f"paper: loss {loss_of(run)}")
        check(run.history[-1]["momentum_y"] / 1000 > 1.1, f"paper: leaves with {run.history[-1]['momentum_y'] / 1000}")


def oblique_others():
    """The other methods whose friction loss has converged at these steps lose the same."""
    for step in STEPS:
        run = oblique(step, model="neo-hookean", end=0.6)
        if not ledger(run, f"oblique, step {step}", 13000):
            continue
        check(run.history[-1]["momentum_y"] < 1000, f"oblique, step {step}: leaves faster than it came")
        for method in ("dissipative", "explicit", "midpoint"):
            other = oblique(step, f"method: {method}", model="neo-hookean", end=0.6)
            if good(other, f"oblique, {method}", None):
                ratio = loss_of(run) / loss_of(other)
                check(0.95 < ratio < 1.05, f"oblique, step {step}: {ratio} of the loss of {method}")


# ---- a block that slides to rest, and blocks that must hold

GRAVITY = "table: [[0, 0], [0.1, 0.146], [0.2, 0.5], [0.3, 0.854], [0.4, 1]]"
SIZE = 0.1  # the height; no block may creep by more than 1e-6 of it in a second


def block(time, friction, gravity, kn=None, velocity=(0, 0), floor="", nu=0, mass="lumped", end=1):
    return Run(f"""carom: 1
dimension: 2
materials: [{{name: m, model: saint-venant-kirchhoff, young: 1.0e7, poisson: {nu}, density: 1000}}]
bodies:
  - name: block
    mesh: {{block: {{from: [0, 0], to: [0.2, 0.1], elements: [4, 2]}}}}
    material: m
    mass: {mass}
    velocity: {list(velocity)}
obstacles: [{{name: floor, plane: {{point: [0, 0], normal: [0, 1]}}{floor}}}]
contact: [{{between: [block.bottom, floor], friction: {friction}{penalty(kn)}}}]
conditions: [{{gravity: {gravity}}}]
time: {{method: velocity-update, {time}, end: {end}}}
output: {{frames: 0}}
""")


def slope_of(t, y):
    """Of the line of least squares: creep without the vibration."""
    mt, my = sum(t) / len(t), sum(y) / len(y)
    return sum((a - mt) * (b - my) for a, b in zip(t, y)) / sum((a - mt) ** 2 for a in t)


def holds(run, what, start, points, belt=(0, 0), up="y"):
    """Every point stays pressed, and neither slip nor the centre creeps on the (moving) floor."""
    late = [row for row in run.history if row["time"] >= start]
    check(late and min(row["contacts"] for row in late) == points, f"{what}: {min(row['contacts'] for row in late)} points")
    rows = [row for row in run.contacts if row["time"] >= start]
    slip = slope_of([row["time"] for row in rows], [row["mean_slip"] for row in rows])
    check(abs(slip) < 1e-6 * SIZE, f"{what}: slip creeps by {slip:.1e}")
    rows = [row for row in run.body("block") if row["time"] >= start]
    t, x = [row["time"] for row in rows], [row["x"] - belt[0] * row["time"] for row in rows]
    check(abs(slope_of(t, x)) < 1e-6 * SIZE, f"{what}: creeps by {slope_of(t, x):.1e}")
    y = [row[up] - belt[1] * row["time"] for row in rows]
    check(max(y) - min(y) < 1e-5 * SIZE, f"{what}: hops by {max(y) - min(y):.1e}")


def sliding():
    """By hand: v^2/(2 mu g) = 0.16990, and all of the kinetic energy of 10 is lost."""
    for kn in (None, 1e8, 1e9):
        for step in (2e-3, 1e-3, 5e-4):
            what = f"sliding, {kn}, {step}"
            run = block(f"step: {step}", 0.3, "[0, -9.81]", kn, (1, 0), end=0.6)
            if ledger(run, what, 10):
                path = [row["x"] for row in run.body("block")]
                check(abs(path[-1] - path[0] - 0.16990) < 1e-4, f"{what}: slid by {path[-1] - path[0]}")
                check(abs(loss_of(run) - 10) < 5e-3, f"{what}: loss {loss_of(run)}")
                rise = max(row["y"] for row in run.body("block")) - run.body("block")[0]["y"]
                check(rise < 1e-3 * SIZE, f"{what}: hops by {rise}")


def at_rest():
    """Pressed straight down it moves and loses nothing."""
    run = block("step: 1.0e-3", 0.3, f"[0, -9.81], {GRAVITY}", end=0.8)
    if ledger(run, "at rest", 1e-3):
        holds(run, "at rest", 0.5, 5)
        check(loss_of(run) < 1e-12, f"at rest: loss {loss_of(run)}")


DOWN = f"[3.833073, -9.030153], {GRAVITY}"  # a slope of 23 degrees


def on_a_slope():
    """Friction 3 % and 18 % above the limit holds, at any step and penalty, with the energy that it should have."""
    for friction in (0.437209, 0.5):
        for kn in (None, 1e8, 1e9):
            for step in (2e-3, 1e-3, 5e-4):
                what = f"slope, {friction}, {kn}, {step}"
                run = block(f"step: {step}", friction, DOWN, kn)
                if ledger(run, what, 1e-3):
                    holds(run, what, 0.6, 5)
                    end = run.history[-1]
                    check(end["kinetic"] < 1e-3 * end["strain"], f"{what}: vibrates with {end['kinetic']} of {end['strain']}")


def on_a_slope_otherwise():
    """The same with what changes the impulses."""
    for time, mass, nu in (("update: spread", "lumped", 0), ("update: local", "lumped", 0.3), ("enforcement: augmented", "lumped", 0),
                           ("update: local", "consistent", 0), ("update: spread", "consistent", 0.3)):
        what = f"slope, {time}, {mass}, {nu}"
        run = block(f"{time}, step: 2.0e-3", 0.437209, DOWN, mass=mass, nu=nu)
        if good(run, what, None):
            holds(run, what, 0.6, 5)


def down_a_slope():
    """3 % below the limit it slides as a rigid block does; the factor of gravity has the integral 0.8."""
    run = block("step: 2.0e-3", 0.4117, DOWN)
    if ledger(run, "down a slope", 0.1):
        speed, rigid = run.history[-1]["momentum_x"] / 20, (3.833073 - 0.4117 * 9.030153) * 0.8
        check(abs(speed - rigid) < 0.01 * rigid, f"down a slope: {speed}, rigid {rigid}")


def conveyor():
    """A belt takes a block along: it loses what it gains, 10, and then it holds. A lift carries one up a slope."""
    for time in ("step: 2.0e-3", "step: 1.0e-3", "step: 2.0e-3, update: spread", "step: 2.0e-3, enforcement: augmented"):
        run = block(time, 0.3, f"[0, -9.81], {GRAVITY}", floor=", velocity: [1, 0]", end=2.5)
        if ledger(run, f"belt, {time}", 10):
            holds(run, f"belt, {time}", 1.5, 5, (1, 0))
            check(abs(loss_of(run) - 10) < 5e-3, f"belt, {time}: loss {loss_of(run)}")
        run = block(time, 0.437209, DOWN, velocity=(0.5, 0.3), floor=", velocity: [0.5, 0.3]")
        if ledger(run, f"lift, {time}", 3.4):
            holds(run, f"lift, {time}", 0.6, 5, (0.5, 0.3))


def on_a_moving_base():
    """The same with bodies: the base is moved by its supports."""
    run = Run(f"""carom: 1
dimension: 2
materials: [{{name: m, young: 1.0e7, poisson: 0.3, density: 1000}}]
bodies:
  - {{name: block, material: m, velocity: [1, 0.5], mesh: {{block: {{from: [0, 0], to: [0.2, 0.1], elements: [4, 2]}}}}}}
  - {{name: base, material: m, velocity: [1, 0.5], mesh: {{block: {{from: [-0.3, -0.1], to: [0.7, 0], elements: [7, 1]}}}}}}
contact: [{{between: [block.bottom, base.top], friction: 0.437209}}]
conditions:
  - {{on: base.bottom, displacement: [2, 1], ramp: [0, 2]}}
  - {{gravity: {DOWN}}}
time: {{method: velocity-update, step: 1.0e-3, end: 1}}
output: {{frames: 0}}
""")
    if ledger(run, "moving base", 75):
        holds(run, "moving base", 0.6, 5, (1, 0.5))


def in_space():
    """A slope that falls along no axis."""
    for time in ("step: 2.0e-3", "step: 1.0e-3", "step: 2.0e-3, enforcement: augmented"):
        run = Run(f"""carom: 1
dimension: 3
materials: [{{name: m, young: 1.0e7, poisson: 0.3, density: 1000}}]
bodies:
  - {{name: block, material: m, mesh: {{block: {{from: [0, 0, 0], to: [0.2, 0.15, 0.1], elements: [3, 2, 2]}}}}}}
obstacles: [{{name: floor, plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}]
contact: [{{between: [block.bottom, floor], friction: 0.437209}}]
conditions: [{{gravity: [3.0664584, 2.2998438, -9.030153], {GRAVITY}}}]
time: {{method: velocity-update, {time}, end: 1}}
output: {{frames: 0}}
""")
        if good(run, f"space, {time}", None):
            holds(run, f"space, {time}", 0.6, 12, up="z")


# ---- free bodies


def free_bodies():
    """Nothing holds two blocks that meet: energy, L and J are exact, however the impulses act."""
    plane = ("dimension: 2", "velocity: [3, -2], spin: 2, mesh: {block: {from: [-0.6, 0.033], to: [0.6, 0.8], elements: [5, 3]}}",
             "mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [8, 3]}}")
    space = ("dimension: 3", "velocity: [3, 1, -1.5], spin: [0, 1, 2], mesh: {block: {from: [-0.5, -0.6, 0.033], to: [0.7, 0.5, 1], elements: [2, 2, 1]}}",
             "mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], elements: [5, 5, 1]}}")
    for dimension, above, below in (plane, space):
        for time, mass in (("update: local", "lumped"), ("update: spread", "lumped"), ("update: local", "consistent"), ("enforcement: augmented", "lumped")):
            what = f"free, {dimension}, {time}, {mass}"
            run = Run(f"""carom: 1
{dimension}
materials: [{{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}}]
bodies:
  - {{name: a, material: m, mass: {mass}, {above}}}
  - {{name: b, material: m, mass: {mass}, {below}}}
contact: [{{between: [a.bottom, b.top], friction: 0.4, normal_penalty: 2.0e4, tangential_penalty: 2.0e4}}]
time: {{method: velocity-update, {time}, step: 0.02, end: 0.6}}
output: {{frames: 0}}
""")
            if not ledger(run, what, run.history[0]["energy"]):
                continue
            check(loss_of(run) > 0.01 * run.history[0]["energy"], f"{what}: loss {loss_of(run)}")
            moved = sum(abs(v) for k, v in run.history[0].items() if k.startswith("momentum"))
            for kind, bound in (("momentum", 1e-12), ("angular", 1e-11)):
                drift = max(abs(row[f"{kind}_{i}"] - run.history[0][f"{kind}_{i}"]) for row in run.history for i in "xyz")
                check(drift < bound * moved, f"{what}: {kind} drifts by {drift:.1e} of {moved:.1e}")


cases.CASES = [oblique_block, oblique_paper, oblique_others, sliding, at_rest, on_a_slope, on_a_slope_otherwise, down_a_slope, conveyor,
               on_a_moving_base, in_space, free_bodies]

if __name__ == "__main__":
    sys.exit(cases.main())
