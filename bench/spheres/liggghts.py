#!/usr/bin/env python3
"""LIGGGHTS on the scene of the race: Hertz springs with history, step 1e-5 s. Writes its input into a scratch
folder, runs it and prints one line like the other engines. usage: liggghts.py SIDE SECONDS

Young's modulus 5e6 Pa, as its own examples take it: softer than any ball, or the step would be smaller still."""
import json, math, os, resource, subprocess, sys, tempfile

side, seconds = int(sys.argv[1]), float(sys.argv[2])
RADIUS, PITCH, DENSITY, GRAVITY, STEP = 0.005, 0.0105, 2500.0, 9.81, 1e-5
n, width = side ** 3, side * PITCH

INPUT = """
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
units si
region box block -0.001 {high} -0.001 {high} -0.001 {top} units box
create_box 1 box
neighbor 0.002 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype 5.e6
fix m2 all property/global poissonsRatio peratomtype 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.5
fix m4 all property/global coefficientFriction peratomtypepair 1 0.3
pair_style gran model hertz tangential history
pair_coeff * *
timestep {step}
fix gravi all gravity {gravity} vector 0.0 0.0 -1.0
fix z1 all wall/gran model hertz tangential history primitive type 1 zplane 0.0
fix x1 all wall/gran model hertz tangential history primitive type 1 xplane 0.0
fix x2 all wall/gran model hertz tangential history primitive type 1 xplane {width}
fix y1 all wall/gran model hertz tangential history primitive type 1 yplane 0.0
fix y2 all wall/gran model hertz tangential history primitive type 1 yplane {width}
{atoms}
fix integr all nve/sphere
thermo 1000000
dump d all custom 500 out.dump id x y z vx vy vz
run {steps}
"""


def atoms():
    state, lines = 1, []

    def rand():
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (state >> 11) / 2 ** 52 - 1

    k = 0
    for c in range(side):
        for b in range(side):
            for a in range(side):
                k += 1
                x = ((a + 0.5) * PITCH, (b + 0.5) * PITCH, (c + 0.7) * PITCH)
                v = (0.025 * rand(), 0.025 * rand())
                lines.append(f"create_atoms 1 single {x[0]:.10g} {x[1]:.10g} {x[2]:.10g} units box")
                lines.append(f"set atom {k} vx {v[0]:.10g} vy {v[1]:.10g} vz 0")
    lines.append(f"set group all density {DENSITY} diameter {2 * RADIUS}")
    return "\n".join(lines)


def overlap(points):
    cells, deep = {}, 0.0
    size = 2.05 * RADIUS
    for p in points:
        deep = max(deep, RADIUS - min(p[0], width - p[0], p[1], width - p[1], p[2]))
        c = tuple(int(math.floor(q / size)) for q in p)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for k in (-1, 0, 1):
                    for q in cells.get((c[0] + i, c[1] + j, c[2] + k), ()):
                        d = math.dist(p, q)
                        if d < 2 * RADIUS:
                            deep = max(deep, 2 * RADIUS - d)
        cells.setdefault(c, []).append(p)
    return deep / RADIUS


def frames(name):
    rows, take = [], False
    for line in open(name):
        if line.startswith("ITEM"):
            if rows and take:
                yield rows
                rows = []
            take = line.startswith("ITEM: ATOMS")
        elif take:
            rows.append([float(w) for w in line.split()[1:]])
    if rows:
        yield rows


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    steps = round(seconds / STEP)
    text = INPUT.format(high=width + 0.001, top=1.2 * width, step=STEP, gravity=GRAVITY, width=width, steps=steps, atoms=atoms())
    open("in.pour", "w").write(text)
    open("in.start", "w").write(text.replace(f"run {steps}", "run 0"))
    env = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_ess_singleton_isolated="1")

    def cpu_of(name):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["liggghts", "-in", name], env=env, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stdout[-500:] + done.stderr[-500:])
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    setup = cpu_of("in.start")  # placing the atoms one by one is not what is measured
    cpu = cpu_of("in.pour") - setup
    worst = late = 0.0
    shots = list(frames("out.dump"))
    for k, rows in enumerate(shots):
        deep = overlap([tuple(r[:3]) for r in rows])
        worst = max(worst, deep)
        if 2 * k >= len(shots):
            late = max(late, deep)
    kinetic = sum(r[3] ** 2 + r[4] ** 2 + r[5] ** 2 for r in shots[-1]) / 2 / n
    print(json.dumps({"engine": "liggghts", "bodies": n, "steps": steps, "cpu": cpu, "us": 1e6 * cpu / n / steps, "worst": worst, "late": late,
                      "kinetic": kinetic, "lost": n - len(shots[-1]), "balance": None}))
