"""Frames in pieces show what frames in one file show: the same cells, and the same fields at the same points.

usage: compare_pieces.py WHOLE PIECES [PIECES...]   (folders of runs of one deck; needs python3-vtk9)"""
import re
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy


def frames(folder):
    with open(folder + "/fields.pvd") as file:
        return [folder + "/" + name for name in re.findall('file="([^"]*)"', file.read())]


def read(path):
    reader = vtk.vtkXMLPUnstructuredGridReader() if path.endswith(".pvtu") else vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def centres(grid):
    """Cells as sorted tuples: body, type, centre."""
    bodies, found = vtk_to_numpy(grid.GetCellData().GetArray("body")), []
    for c in range(grid.GetNumberOfCells()):
        points = grid.GetCell(c).GetPoints()
        n = points.GetNumberOfPoints()
        centre = [sum(points.GetPoint(k)[i] for k in range(n)) / n for i in range(3)]
        found.append((int(bodies[c]), grid.GetCellType(c), *(round(x, 7) + 0.0 for x in centre)))
    return sorted(found)


def fields(grid):
    """Every field by body and place of the points that cells of the body have."""
    data, bodies, found = grid.GetPointData(), vtk_to_numpy(grid.GetCellData().GetArray("body")), {}
    arrays = [(data.GetArrayName(k), vtk_to_numpy(data.GetArray(k))) for k in range(data.GetNumberOfArrays())]
    for c in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(c)
        for k in range(cell.GetNumberOfPoints()):
            point = cell.GetPointId(k)
            key = (int(bodies[c]), *(round(x, 6) + 0.0 for x in grid.GetPoint(point)))
            found[key] = {name: array[point] for name, array in arrays}
    return found


def compare(whole, pieces):
    a, b = read(whole), read(pieces)
    assert a.GetNumberOfCells() > 0, whole + ": has no cells"
    assert a.GetNumberOfCells() == b.GetNumberOfCells(), f"{pieces}: {b.GetNumberOfCells()} cells"
    assert len(centres(a)) == len(centres(b)), pieces + ": other cells"
    for x, y in zip(centres(a), centres(b)):
        assert x[:2] == y[:2] and max(abs(p - q) for p, q in zip(x, y)) < 1e-6, f"{pieces}: {x} and {y}"
    one, other, greatest = fields(a), fields(b), 0
    assert one.keys() == other.keys(), pieces + ": other points"
    scale = {name: max(abs(v[name]).max() for v in one.values()) for name in next(iter(one.values()))}
    for key, values in one.items():
        assert values.keys() == other[key].keys(), pieces + ": other fields"
        for name, value in values.items():
            greatest = max(greatest, abs(value - other[key][name]).max() / (scale[name] or 1))
    assert greatest < 1e-9, f"{pieces}: a field differs by {greatest:g}"
    return greatest


first = frames(sys.argv[1])
for folder in sys.argv[2:]:
    others = frames(folder)
    assert len(others) == len(first) > 0, folder + ": other frames"
    assert all(name.endswith(".pvtu") for name in others), folder + ": not in pieces"
    print(f"{folder}: {len(others)} frames, greatest difference {max(map(compare, first, others)):.1e}")
