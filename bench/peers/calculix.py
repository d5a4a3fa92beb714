#!/usr/bin/env python3
"""Writes the CalculiX input of a deck of this folder: same nodes, elements, material, penalties and steps.

usage: calculix.py DECK.yaml [key.path=value]... > job.inp

What corresponds to what
  Saint Venant-Kirchhoff   *ELASTIC under NLGEOM; linear: without it
  H8                       C3D8, consistent mass
  Q4, plane strain         one layer of C3D8 held in z, the back tied to the front: what CPE4 becomes inside CalculiX.
                           CPE4 itself forgets the velocities at the start (version 2.20: nothing moves).
  Q4, plane stress         the same, but the back is free in z
  a plane below            one large element, held at all its nodes
  penalties per area       LINEAR pressure-overclosure, stick slope; surface to surface (node to surface stops earlier)
  steps                    DIRECT; ALPHA stays at its default -0.05, with 0 (trapezoidal rule) the blocks stop at 0.34
  a first step of flight   left out, the bodies start behind it: a second *STEP stops at the first contact, however small
                           its increments
"""
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import deck as decks

# ---- meshes, in the order of src/mesh/generators: nodes, cells, faces of surfaces, nodes of surfaces ----------------


def disc(center, radius, core, rings):
    """The O-grid of AP97 4.3 and 4.4 as one layer of H8, 1 thick: the front, then the back."""
    n, m, s = core, rings, 0.5 * radius / math.sqrt(2)
    grid = [2 * i / n - 1 for i in range(n + 1)]
    plane = [(s * u * (1 + 0.15 * (1 - v * v)), s * v * (1 + 0.15 * (1 - u * u))) for v in grid for u in grid]

    def edge(k):
        side, r = divmod(k, n)
        i, j = ((r, 0), (n, r), (n - r, n), (0, n - r))[side]
        return j * (n + 1) + i

    def ring(l, k):
        k %= 4 * n
        return edge(k) if l == 0 else (n + 1) ** 2 + (l - 1) * 4 * n + k

    for l in range(1, m + 1):
        for k in range(4 * n):
            angle, t, (x, y) = math.pi * (-0.75 + k / (2 * n)), l / m, plane[edge(k)]
            plane.append(((1 - t) * x + t * radius * math.cos(angle), (1 - t) * y + t * radius * math.sin(angle)))
    quads = [(A, A + 1, A + n + 2, A + n + 1) for A in (j * (n + 1) + i for j in range(n) for i in range(n))]
    quads += [(ring(l, k), ring(l + 1, k), ring(l + 1, k + 1), ring(l, k + 1)) for l in range(m) for k in range(4 * n)]
    nodes = [(x + center[0], y + center[1], z) for z in (0, 1) for x, y in plane]
    cells = [(*quad, *(A + len(plane) for A in quad)) for quad in quads]
    return nodes, cells, {"outer": [(len(cells) - 4 * n + k, "S4") for k in range(4 * n)]}, {}


def block(**keys):
    """A box of H8, the first direction fastest."""
    start, end, n = keys["from"], keys["to"], keys["elements"]
    axes = [[a + i / k * (b - a) for i in range(k + 1)] for a, b, k in zip(start, end, n)]
    nodes = [(x, y, z) for z in axes[2] for y in axes[1] for x in axes[0]]
    row, floor, layer = n[0] + 1, (n[0] + 1) * (n[1] + 1), n[0] * n[1]
    corners = [k * floor + j * row + i for k in range(n[2]) for j in range(n[1]) for i in range(n[0])]
    cells = [tuple(A + up + around for up in (0, floor) for around in (0, 1, row + 1, row)) for A in corners]
    faces = {"bottom": [(e, "S1") for e in range(layer)], "top": [(len(cells) - layer + e, "S2") for e in range(layer)]}
    return nodes, cells, faces, {"bottom": range(floor)}


def gmsh(path, thickness):
    """Quads of a Gmsh 2.2 file as one layer of H8; surfaces are its named lines."""
    text = Path(path).read_text().split("\n")

    def part(name):
        start = text.index(f"${name}") + 2
        return [line.split() for line in text[start : start + int(text[start - 1])]]

    names = {int(tag): name.strip('"') for _, tag, name in part("PhysicalNames")}
    points = {int(row[0]): (float(row[1]), float(row[2])) for row in part("Nodes")}
    number, plane = {tag: A for A, tag in enumerate(points)}, list(points.values())
    cells, lines = [], []
    for _, kind, tags, group, *rest in part("Elements"):
        nodes = [number[int(tag)] for tag in rest[int(tags) - 1 :]]
        (cells if kind == "3" else lines).append((names[int(group)], nodes))
    edges = {
        frozenset((quad[k], quad[(k + 1) % 4])): (e, f"S{3 + k}") for e, (_, quad) in enumerate(cells) for k in range(4)
    }
    faces = {}
    for name, nodes in lines:
        faces.setdefault(name, []).append(edges[frozenset(nodes)])
    layer = [(*quad, *(A + len(plane) for A in quad)) for _, quad in cells]
    return [(x, y, z) for z in (0, thickness) for x, y in plane], layer, faces, {}


MESHES = {"disc": disc, "block": block}


def mesh_of(deck, body):
    ((kind, keys),) = body["mesh"].items()
    if kind == "file":
        return gmsh(Path(__file__).resolve().parent / keys, deck["thickness"])
    return MESHES[kind](**keys)

# ---- the input file: CalculiX reads the first 20 characters of a number, 12 digits leave room for the rest ----------


def flight_and_rows(time):
    """Length of the first step where it is alone and others follow; sizes and counts of the rest."""
    rows = time["steps"]
    return (rows[0][0], rows[1:]) if len(rows) > 1 and rows[0][1] == 1 else (0, rows)


def model(deck, lines):
    """Nodes and elements of all bodies; returns faces and nodes of the surfaces by "body.surface"."""
    flight, _ = flight_and_rows(deck["time"])
    faces, points, n_nodes, n_cells = {}, {}, 0, 0
    for body in deck["bodies"]:
        nodes, cells, mesh_faces, mesh_points = mesh_of(deck, body)
        name, v = body["name"], (*body.get("velocity", []), 0, 0, 0)
        lines.append(f"*NODE, NSET=N{name}")
        for A, X in enumerate(nodes, n_nodes + 1):
            lines.append(f"{A}, " + ", ".join(f"{c + flight * v[i]:.12g}" for i, c in enumerate(X)))
        lines.append(f"*ELEMENT, TYPE=C3D8, ELSET=E{name}")
        for e, cell in enumerate(cells, n_cells + 1):
            lines.append(", ".join(str(number) for number in (e, *(n_nodes + A + 1 for A in cell))))
        for surface, members in mesh_faces.items():
            faces[f"{name}.{surface}"] = [(n_cells + e + 1, face) for e, face in members]
        for surface, members in mesh_points.items():
            points[f"{name}.{surface}"] = [n_nodes + A + 1 for A in members]
        if deck["dimension"] == 2:
            hold_plane(n_nodes, len(nodes) // 2, deck.get("plane") == "stress", lines)
        n_nodes, n_cells = n_nodes + len(nodes), n_cells + len(cells)
    for obstacle in deck.get("obstacles", []):
        faces[obstacle["name"]] = floor(deck, obstacle, n_nodes, n_cells, lines)
        n_nodes, n_cells = n_nodes + 8, n_cells + 1
    lines += ["*ELSET, ELSET=Eall, GENERATE", f"1, {n_cells}, 1"]
    return faces, points


def floor(deck, obstacle, n_nodes, n_cells, lines):
    """A plane with the normal (0, 1) as the top of a slab, wider than the bodies by their size."""
    nodes = [X for body in deck["bodies"] for X in mesh_of(deck, body)[0]]
    (left, _, front), (right, _, back) = (tuple(pick(c) for c in zip(*nodes)) for pick in (min, max))
    size, top = right - left, obstacle["plane"]["point"][1]
    corners = ((left - size, front - size), (right + size, front - size), (right + size, back + size), (left - size, back + size))
    name, slab = obstacle["name"], [(x, y, z) for y in (top - size, top) for x, z in reversed(corners)]
    lines.append(f"*NODE, NSET=N{name}")
    lines += [f"{A}, " + ", ".join(f"{c:.12g}" for c in X) for A, X in enumerate(slab, n_nodes + 1)]
    lines += [f"*ELEMENT, TYPE=C3D8, ELSET=E{name}", ", ".join(str(k) for k in (n_cells + 1, *range(n_nodes + 1, n_nodes + 9)))]
    lines += ["*BOUNDARY", f"N{name}, 1, 3"]
    return [(n_cells + 1, "S2")]


def hold_plane(first, n, stress, lines):
    """Plane strain: z is held, the n back nodes do as the n front nodes; plane stress: the back is free in z."""
    lines.append("*BOUNDARY")
    lines += [f"{A}, 3, 3" for A in range(first + 1, first + (1 if stress else 2) * n + 1)]
    lines.append("*EQUATION")
    for A in range(first + 1, first + n + 1):
        for i in (1, 2):
            lines += ["2", f"{A + n}, {i}, 1, {A}, {i}, -1"]


def moduli(material):
    """Young's modulus and Poisson's ratio."""
    if "young" in material:
        return material["young"], material["poisson"]
    G = material["shear"]
    lam = material["lambda"] if "lambda" in material else material["bulk"] - 2 * G / 3
    return G * (3 * lam + 2 * G) / (lam + G), lam / (2 * (lam + G))


def properties(deck, lines):
    for material in deck["materials"]:
        young, poisson = moduli(material)
        lines += [f"*MATERIAL, NAME=M{material['name']}", "*ELASTIC", f"{young:.12g}, {poisson:.12g}"]
        lines += ["*DENSITY", f"{material['density']:.12g}"]
    lines += [f"*SOLID SECTION, ELSET=E{body['name']}, MATERIAL=M{body['material']}" for body in deck["bodies"]]
    material = deck["materials"][0]["name"]  # of a floor that does not move: any
    lines += [f"*SOLID SECTION, ELSET=E{obstacle['name']}, MATERIAL=M{material}" for obstacle in deck.get("obstacles", [])]


def contact(deck, faces, lines):
    (pair,) = deck["contact"]
    for role, surface in zip(("SLAVE", "MASTER"), pair["between"]):
        lines.append(f"*SURFACE, NAME={role}, TYPE=ELEMENT")
        lines += [f"{e}, {face}" for e, face in faces[surface]]
    lines += ["*SURFACE INTERACTION, NAME=LAW", "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR"]
    lines.append(f"{pair['normal_penalty']:.12g}")
    if pair["friction"] > 0:
        lines += ["*FRICTION", f"{pair['friction']:.12g}, {pair['tangential_penalty']:.12g}"]
    lines += ["*CONTACT PAIR, INTERACTION=LAW, TYPE=SURFACE TO SURFACE", "SLAVE, MASTER"]


def start(deck, points, lines):
    for condition in deck.get("conditions", []):
        lines.append("*BOUNDARY")
        lines += [f"{A}, 1, 3" for A in points[condition["on"]]]
    lines.append("*INITIAL CONDITIONS, TYPE=VELOCITY")
    for body in deck["bodies"]:
        lines += [f"N{body['name']}, {i}, {v:.12g}" for i, v in enumerate(body.get("velocity", []), 1)]


def step(deck, own_steps, lines):
    """The one *STEP; fields and energies as often as the deck asks for pictures."""
    _, ((size, count),) = flight_and_rows(deck["time"])
    every = math.ceil(count / deck["output"]["frames"])
    linear = all(material["model"] == "linear" for material in deck["materials"])
    lines += ["*STEP, INC=100000" if linear else "*STEP, NLGEOM, INC=100000", "*DYNAMIC" if own_steps else "*DYNAMIC, DIRECT"]
    lines.append(f"{size:.12g}, {size * count:.12g}" + (f", {size / 1e5:.12g}, {size:.12g}" if own_steps else ""))
    lines += [f"*NODE FILE, FREQUENCY={every}", "U, V", f"*EL FILE, FREQUENCY={every}", "S"]
    lines += [f"*EL PRINT, ELSET=Eall, TOTALS=ONLY, FREQUENCY={every}", "ELKE, ELSE", "*END STEP"]


def write(deck, own_steps=False):
    """The text of the input. own_steps: CalculiX may cut the steps, down to 1e-5 of the size asked for."""
    lines = ["** written by bench/peers/calculix.py"]
    faces, points = model(deck, lines)
    properties(deck, lines)
    contact(deck, faces, lines)
    start(deck, points, lines)
    step(deck, own_steps, lines)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(write(decks.change(decks.read(sys.argv[1]), sys.argv[2:])), end="")
