"""Opens fields.pvd and every frame of a run with VTK's own readers.

usage: check_vtu.py RUN_DIR [--points N] [--cells M] [--frames K]

Exit 0 if all is well, 1 with a message otherwise.
"""

import argparse
import math
import os
import sys
import xml.etree.ElementTree

import vtk

# T3 Q4 T6 Q8 Q9 T4 H8 T10, with their nodes
NODES = {5: 3, 9: 4, 22: 6, 23: 8, 28: 9, 10: 4, 12: 8, 24: 10}
WIDTHS = {"displacement": 3, "velocity": 3, "stress": 6, "von-mises": 1}


class Wrong(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Wrong(message)


def read_list(folder):
    path = os.path.join(folder, "fields.pvd")
    need(os.path.exists(path), f"{path}: is missing")
    root = xml.etree.ElementTree.parse(path).getroot()
    need(root.get("type") == "Collection", f"{path}: is no collection")
    frames = [(float(d.get("timestep")), d.get("file")) for d in root.iter("DataSet")]
    times = [t for t, _ in frames]
    need(frames, f"{path}: lists no frame")
    need(all(math.isfinite(t) for t in times), f"{path}: a time is not finite")
    need(all(a < b for a, b in zip(times, times[1:])), f"{path}: times do not ascend")
    return frames


def read_grid(path):
    complaints = []
    reader = vtk.vtkXMLUnstructuredGridReader()
    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, lambda *_: complaints.append(event))
    need(reader.CanReadFile(path), f"{path}: VTK does not take it for an unstructured grid")
    reader.SetFileName(path)
    reader.Update()
    need(not complaints and reader.GetErrorCode() == 0, f"{path}: VTK complains")
    return reader.GetOutput()


def check_arrays(path, grid):
    data = grid.GetPointData()
    for name, width in WIDTHS.items():
        array = data.GetArray(name)
        need(array is not None, f"{path}: no field {name}")
        found = array.GetNumberOfComponents()
        need(found == width, f"{path}: {name} has {found} components, not {width}")
        need(array.GetNumberOfTuples() == grid.GetNumberOfPoints(), f"{path}: {name} is short")
        check_finite(path, name, array)
    body = grid.GetCellData().GetArray("body")
    need(body is not None, f"{path}: no field body on the cells")
    need(body.GetNumberOfTuples() == grid.GetNumberOfCells(), f"{path}: body is short")
    if body.GetNumberOfTuples():
        need(body.GetRange()[0] >= 0, f"{path}: a cell of body {body.GetRange()[0]}")


def check_finite(path, name, array):
    if array.GetNumberOfTuples():
        values = memoryview(array).cast("B").cast("d")
        need(all(map(math.isfinite, values)), f"{path}: {name} is not finite everywhere")


def check_cells(path, grid):
    npoints = grid.GetNumberOfPoints()
    for c in range(grid.GetNumberOfCells()):
        kind, cell = grid.GetCellType(c), grid.GetCell(c)
        need(kind in NODES, f"{path}: cell {c} has the unknown type {kind}")
        n = cell.GetNumberOfPoints()
        need(n == NODES[kind], f"{path}: cell {c} of type {kind} has {n} nodes")
        ids = {cell.GetPointId(i) for i in range(n)}
        need(len(ids) == n, f"{path}: cell {c} names a node twice")
        need(0 <= min(ids) and max(ids) < npoints, f"{path}: cell {c} names a node that is not there")


def check_frame(folder, time, name, expected):
    path = os.path.join(folder, name)
    need(os.path.exists(path), f"{path}: is listed but missing")
    grid = read_grid(path)
    for what, wanted, found in (
        ("points", expected.points, grid.GetNumberOfPoints()),
        ("cells", expected.cells, grid.GetNumberOfCells()),
    ):
        need(wanted is None or wanted == found, f"{path}: {found} {what}, expected {wanted}")
    if grid.GetNumberOfPoints():
        check_finite(path, "position", grid.GetPoints().GetData())
    stamp = grid.GetFieldData().GetArray("TimeValue")
    need(stamp is not None and stamp.GetValue(0) == time, f"{path}: time differs from the list's")
    check_arrays(path, grid)
    check_cells(path, grid)


def check_run(args):
    frames = read_list(args.run_dir)
    found = len(frames)
    need(args.frames is None or found == args.frames, f"{found} frames, expected {args.frames}")
    for time, name in frames:
        check_frame(args.run_dir, time, name, args)
    listed = {name for _, name in frames}
    for name in sorted(os.listdir(os.path.join(args.run_dir, "fields"))):
        need("fields/" + name in listed, f"fields/{name}: is not listed in fields.pvd")
    return found


def main():
    parser = argparse.ArgumentParser(description="Opens the field files of a run with VTK.")
    parser.add_argument("run_dir")
    for what in ("points", "cells", "frames"):
        parser.add_argument("--" + what, type=int, help=f"number of {what} expected")
    args = parser.parse_args()
    try:
        print(f"{args.run_dir}: {check_run(args)} frames are good")
    except (Wrong, OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"check_vtu: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
