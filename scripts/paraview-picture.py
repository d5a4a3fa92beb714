#!/usr/bin/env pvpython
"""A frame of a run as ParaView draws it, for those who prefer it to `carom picture`:

    pvpython scripts/paraview-picture.py DIR [--frame N] [--field NAME] [--view NAME] [--size 1280x720]
                                         [--no-mesh] [-o FILE.png]

Needs ParaView 5.10 or newer (Debian: paraview, python3-paraview); without a display also Xvfb (Debian: xvfb).
The field files hold deformed positions, so nothing is warped here. Obstacles are not in them."""
import argparse
import atexit
import os
import re
import shutil
import subprocess
import sys

# as --field says it: name in the files
FIELDS = {"displacement": "displacement", "velocity": "velocity", "von-mises": "von-mises",
          "pressure": "contact-pressure", "status": "contact-status"}
TITLES = {"von-mises": "von Mises stress", "pressure": "contact pressure", "status": "contact"}
STATUS = [("open", "#c9ced6"), ("sticking", "#0072b2"), ("slipping", "#d55e00"), ("pressed", "#e6b800")]
# where the viewer is: to the right, towards the viewer, up
VIEWS = {"iso": (0.52, 0.74, 0.42), "front": (0, 1, 0), "back": (0, -1, 0), "right": (1, 0, 0), "left": (-1, 0, 0),
         "top": (0, 0, 1), "bottom": (0, 0, -1)}
WIDEST, MARGIN, LEGEND, HEAD = 1280, 0.04, 0.15, 0.09  # shares of the width; of the height


def fail(message):
    sys.stderr.write(f"paraview-picture: {message}\n")
    sys.exit(2)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR", help="folder of a run")
    parser.add_argument("--frame", type=int, default=-1, metavar="N", help="from 0; -1 is the last (default)")
    parser.add_argument("--field", choices=FIELDS, help="default: von-mises where there is stress, else velocity")
    parser.add_argument("--view", choices=VIEWS, default="iso", help="of a run in space; default iso")
    parser.add_argument("--size", metavar="WxH", help="pixels; default 1280 wide, and as high as the shape asks for")
    parser.add_argument("--no-mesh", action="store_true", help="no sides of elements")
    parser.add_argument("-o", metavar="FILE.png", help="default DIR/paraview.png")
    options = parser.parse_args()
    if options.size and not re.fullmatch(r"[1-9]\d{1,3}x[1-9]\d{1,3}", options.size):
        parser.error(f"--size {options.size}: expected WIDTHxHEIGHT in pixels")
    if not os.path.isfile(os.path.join(options.dir, "fields.pvd")):
        fail(f"{options.dir}: holds no frames (there is no fields.pvd in it)")
    return options


def find_display():
    """ParaView as Debian builds it draws through X and crashes without: a display of our own, gone with us."""
    from paraview.vtk.vtkRenderingCore import vtkRenderWindow
    if os.environ.get("DISPLAY") or "XOpenGL" not in vtkRenderWindow().GetClassName():
        return
    if not shutil.which("Xvfb"):
        fail("there is no display: run it under one, or install xvfb")
    told, tell = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(tell), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                              pass_fds=(tell,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(tell)
    atexit.register(server.terminate)
    number = os.read(told, 16).decode().strip()
    if not number:
        fail("Xvfb did not start")
    os.environ["DISPLAY"] = f":{number}"


options = read_options()
find_display()

from paraview import simple  # noqa: E402
from paraview.simple import (ColorBy, CreateView, ExtractSurface, FeatureEdges,  # noqa: E402
                             GetColorTransferFunction, GetScalarBar, PVDReader, Render, SaveScreenshot, Show, Text,
                             Threshold)

simple._DisableFirstRenderCameraReset()

# ---- what there is --------------------------------------------------------------------------------

reader = PVDReader(FileName=os.path.join(options.dir, "fields.pvd"))
times = list(reader.TimestepValues)
if not -len(times) <= options.frame < len(times):
    fail(f"--frame {options.frame}: the run has {len(times)} frames, 0 to {len(times) - 1} (-1 is the last)")
time = times[options.frame]
reader.UpdatePipeline(time)
bounds = reader.GetDataInformation().GetBounds()
flat = bounds[4] == bounds[5] == 0


def cell_range(name):
    array = reader.CellData.GetArray(name)
    return array.GetRange(0) if array else (0, 0)


def greatest(name):
    array = reader.PointData.GetArray(FIELDS[name])
    return None if array is None else array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0)[1]


field = options.field or ("von-mises" if greatest("von-mises") else "velocity")
if greatest(field) is None:
    if options.field:
        fail(f"--field {field}: the frames of this run do not contain this field (output.fields)")
    field = None

try:
    with open(os.path.join(options.dir, "run.yaml"), encoding="utf-8") as file:
        deck = file.read()
except OSError:
    deck = ""
title = re.search(r"^title:[ \t]*(.*)$", deck, re.M)
title = title.group(1).strip().strip("\"'") if title else ""
gravity = re.search(r"gravity:\s*\[([^\]]*)\]", deck)
gravity = [abs(float(v)) for v in gravity.group(1).split(",")] if gravity else []
upright = gravity.index(max(gravity)) if len(gravity) == 3 and max(gravity) > 0 else 2

# ---- the camera -----------------------------------------------------------------------------------


def axes():
    """To the right, up and towards the viewer, in space."""
    if flat:
        return (1, 0, 0), (0, 1, 0), (0, 0, 1)
    # as carom picture: the upright axis up, x to the right where it is not that axis
    right = [0, 0, 0]
    right[1 if upright == 0 else 0] = 1
    up = [0, 0, 0]
    up[upright] = 1
    near = [right[1] * up[2] - right[2] * up[1], right[2] * up[0] - right[0] * up[2], right[0] * up[1] - right[1] * up[0]]
    a, b, c = VIEWS[options.view]
    towards = [a * r + b * n + c * u for r, n, u in zip(right, near, up)]
    size = sum(v * v for v in towards) ** 0.5
    towards = [v / size for v in towards]
    above = up
    if abs(sum(u * t for u, t in zip(up, towards))) > 0.99:
        above = [(-1 if c > 0 else 1) * n for n in near]
    across = sum(u * t for u, t in zip(above, towards))
    above = [u - across * t for u, t in zip(above, towards)]
    size = sum(v * v for v in above) ** 0.5
    above = [v / size for v in above]
    side = [above[1] * towards[2] - above[2] * towards[1], above[2] * towards[0] - above[0] * towards[2],
            above[0] * towards[1] - above[1] * towards[0]]
    return side, above, towards


side, above, towards = axes()
corners = [[bounds[i + (k >> (i // 2) & 1)] for i in (0, 2, 4)] for k in range(8)]
across = [sum(a * b for a, b in zip(side, c)) for c in corners]
along = [sum(a * b for a, b in zip(above, c)) for c in corners]
width, height = max(across) - min(across), max(along) - min(along)
if width == height == 0:  # a point
    width = height = 1
clear = 1 - 2 * MARGIN - LEGEND  # share of the picture's width that bodies may take
if options.size:
    pixels = [int(n) for n in options.size.split("x")]
else:
    high = min(0.75, max(0.3, clear * height / (width or 1e-9) / (1 - 2 * MARGIN - HEAD)))
    pixels = [WIDEST, int(high * WIDEST)]
scale = min(clear * pixels[0] / (width or 1e-9), (1 - 2 * MARGIN - HEAD) * pixels[1] / (height or 1e-9))
middle = [(max(across) + min(across)) / 2 + 0.5 * LEGEND * pixels[0] / scale,
          (max(along) + min(along)) / 2 + 0.5 * HEAD * pixels[1] / scale]
depth = sum((bounds[2 * i + 1] - bounds[2 * i]) ** 2 for i in range(3)) ** 0.5 or 1
centre = [0.5 * (bounds[2 * i] + bounds[2 * i + 1]) for i in range(3)]
inwards = sum(a * b for a, b in zip(towards, centre))
focus = [middle[0] * s + middle[1] * a + inwards * t for s, a, t in zip(side, above, towards)]

view = CreateView("RenderView")
view.ViewSize = pixels
view.ViewTime = time
view.OrientationAxesVisibility = 0 if flat else 1
view.OrientationAxesLabelColor = [0, 0, 0]
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]
view.CenterAxesVisibility = 0
view.CameraParallelProjection = 1
view.CameraFocalPoint = focus
view.CameraPosition = [f + 3 * depth * t for f, t in zip(focus, towards)]
view.CameraViewUp = above
view.CameraParallelScale = 0.5 * pixels[1] / scale

# ---- bodies ---------------------------------------------------------------------------------------

colours = None
if field:
    name = FIELDS[field]
    colours = GetColorTransferFunction(name)
    if field == "status":
        colours.InterpretValuesAsCategories = 1
        colours.Annotations = [text for k, (word, _) in enumerate(STATUS) for text in (str(k), word)]
        colours.IndexedColors = [int(c[i:i + 2], 16) / 255 for _, c in STATUS for i in (1, 3, 5)]
    else:
        colours.ApplyPreset("Viridis (matplotlib)", True)


def show(source, edges):
    shown = Show(source, view)
    shown.SetRepresentationType("Surface With Edges" if edges else "Surface")
    shown.EdgeColor = [0.16, 0.16, 0.18]
    shown.LineWidth = 1
    shown.PointSize = 14
    shown.RenderPointsAsSpheres = 1
    shown.Ambient, shown.Diffuse = (1, 0) if flat else (0.4, 0.65)  # in the plane the colours of the bar
    if field:
        ColorBy(shown, ("POINTS", FIELDS[field]))
    else:
        ColorBy(shown, ("CELLS", "body"))
    return shown


def lines(source):
    source.UpdatePipeline(time)
    if not source.GetDataInformation().GetNumberOfCells():
        return
    shown = Show(source, view)
    shown.ColorArrayName = [None, ""]
    shown.AmbientColor = shown.DiffuseColor = [0.1, 0.1, 0.12]
    shown.LineWidth = 1.5
    shown.Ambient, shown.Diffuse = 1, 0


mesh = not options.no_mesh
dense = reader.GetDataInformation().GetNumberOfCells() > 0.02 * pixels[0] * pixels[1]
if flat or cell_range("rigid")[1] == 0:
    shown = show(reader, mesh and not dense)
else:  # rigid bodies in space: no net, but edges, and the marks where their parts meet
    elements = Threshold(Input=reader, Scalars=["CELLS", "rigid"], LowerThreshold=0, UpperThreshold=0.5)
    rigid = Threshold(Input=reader, Scalars=["CELLS", "rigid"], LowerThreshold=0.5, UpperThreshold=1e9)
    elements.UpdatePipeline(time)
    rigid.UpdatePipeline(time)
    if elements.GetDataInformation().GetNumberOfCells():
        show(elements, mesh and not dense)
    shown = show(rigid, False)
    if mesh and not dense:
        lines(FeatureEdges(Input=ExtractSurface(Input=rigid), FeatureAngle=40))
        for part in range(1, 5):
            piece = Threshold(Input=rigid, Scalars=["CELLS", "rigid"], LowerThreshold=part, UpperThreshold=part)
            lines(FeatureEdges(Input=ExtractSurface(Input=piece), FeatureAngle=180))

if field:
    if field != "status":
        array = reader.PointData.GetArray(FIELDS[field])
        low, high = array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0)
        if low > 0 and low < 0.5 * high:
            low = 0  # sizes begin at zero unless they hardly vary
        if high <= low:
            low, high = 0, high or 1
        colours.RescaleTransferFunction(low, high)
    bar = GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = TITLES.get(field, field), ""
    bar.HorizontalTitle = 1
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.TitleFontSize, bar.LabelFontSize = 16, 14
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = "%-.3g"
    bar.WindowLocation = "Any Location"
    bar.Position = [1 - LEGEND, 0.2]
    bar.ScalarBarLength = 0.55
    shown.SetScalarBarVisibility(view, True)

for place, text, size in (([0.02, 1 - 34 / pixels[1]], title, 18), ([0.02, 1 - 62 / pixels[1]], f"t = {time:.6g}", 15)):
    label = Show(Text(Text=text or " "), view)
    label.WindowLocation = "Any Location"
    label.Position = place
    label.Color = [0.1, 0.1, 0.12]
    label.FontSize = size

Render(view)
out = options.o or os.path.join(options.dir, "paraview.png")
SaveScreenshot(out, view, ImageResolution=pixels)
if not os.path.isfile(out):
    fail(f"{out}: cannot be written")
print(out)
