#!/usr/bin/env pvpython
"""A frame of a run as ParaView draws it, for those who prefer it to `carom picture`:

    pvpython scripts/paraview-picture.py DIR [--frame N] [--field von-mises] [--view iso] [--size 1280x720] [-o out.png]

The field files hold deformed positions, so nothing is warped here."""
import argparse
import os

from paraview.simple import (ColorBy, CreateView, GetColorTransferFunction, GetScalarBar, PVDReader, Render,
                             ResetCamera, SaveScreenshot, Show)

FIELDS = {"displacement": "displacement", "velocity": "velocity", "von-mises": "von-mises",
          "pressure": "contact-pressure", "status": "contact-status"}
# where the viewer is, and what is up
VIEWS = {"iso": ((0.52, -0.74, 0.42), (0, 0, 1)), "front": ((0, -1, 0), (0, 0, 1)), "back": ((0, 1, 0), (0, 0, 1)),
         "right": ((1, 0, 0), (0, 0, 1)), "left": ((-1, 0, 0), (0, 0, 1)), "top": ((0, 0, 1), (0, 1, 0)),
         "bottom": ((0, 0, -1), (0, -1, 0))}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("dir")
parser.add_argument("--frame", type=int, default=-1)
parser.add_argument("--field", choices=FIELDS, default="von-mises")
parser.add_argument("--view", choices=VIEWS)
parser.add_argument("--size", default="1280x720")
parser.add_argument("-o", default="picture.png")
options = parser.parse_args()

reader = PVDReader(FileName=os.path.join(options.dir, "fields.pvd"))
times = list(reader.TimestepValues)
time = times[options.frame]
reader.UpdatePipeline(time)
bounds = reader.GetDataInformation().GetBounds()
flat = bounds[4] == bounds[5]

view = CreateView("RenderView")
view.ViewSize = [int(n) for n in options.size.split("x")]
view.ViewTime = time
view.OrientationAxesVisibility = 0 if flat else 1
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]
shown = Show(reader, view)
shown.SetRepresentationType("Surface With Edges")
field = FIELDS[options.field]
ColorBy(shown, ("POINTS", field))
shown.RescaleTransferFunctionToDataRange(False)
colours = GetColorTransferFunction(field)
colours.ApplyPreset("Viridis (matplotlib)", True)
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = options.field, ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
shown.SetScalarBarVisibility(view, True)

towards, up = VIEWS["top"] if flat else VIEWS[options.view or "iso"]
centre = [0.5 * (bounds[2 * i] + bounds[2 * i + 1]) for i in range(3)]
view.CameraFocalPoint = centre
view.CameraPosition = [c + t for c, t in zip(centre, towards)]
view.CameraViewUp = up
view.CameraParallelProjection = 1
ResetCamera(view)
Render(view)
SaveScreenshot(options.o, view)
