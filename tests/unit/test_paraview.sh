#!/usr/bin/env bash
# The field files in ParaView itself, and scripts/paraview-picture.py. ParaView is no part of the packages that tests
# install: skipped where it is missing.
set -euo pipefail
carom=$CAROM source=$CAROM_SOURCE
script=$source/scripts/paraview-picture.py

skip() {
  echo "SKIPPED: $1"
  exit 77
}
command -v pvpython > /dev/null || skip "no pvpython here (packages paraview, python3-paraview)"
[ -n "${DISPLAY:-}" ] || command -v Xvfb > /dev/null || skip "no display and no Xvfb here (package xvfb)"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

$carom run "$source/examples/two-cylinders/deck.yaml" -o flat --set 'time.steps=[[1.6, 1], [0.01, 30]]' > log
$carom run "$source/examples/carom/deck.yaml" -o ellipse --set time.end=1.2 --set output.frames=10 > log
$carom run "$source/examples/rigid-partners/deck.yaml" -o ball --set time.end=0.1 --set output.frames=2 > log

# every field, at the last frame, as the tables have it
cat > fields.py << 'END'
import csv
from paraview.simple import PVDReader

def last(run, name):
    rows = list(csv.DictReader(open(f"{run}/{name}.csv")))
    return [r for r in rows if r["time"] == rows[-1]["time"]]

for run, ncells, rigid in (("flat", 384, None), ("ellipse", 2, 2), ("ball", 72 + 200, 4)):
    reader = PVDReader(FileName=f"{run}/fields.pvd")
    time = list(reader.TimestepValues)[-1]
    assert time == float(last(run, "history")[0]["time"]), run
    reader.UpdatePipeline(time)
    assert reader.GetDataInformation().GetNumberOfCells() == ncells, (run, reader.GetDataInformation().GetNumberOfCells())
    widths = {reader.PointData.GetArray(k).Name: reader.PointData.GetArray(k).GetNumberOfComponents() for k in range(reader.PointData.GetNumberOfArrays())}
    assert widths == {"displacement": 3, "velocity": 3, "stress": 6, "von-mises": 1, "contact-force": 3, "contact-pressure": 1, "contact-status": 1}, widths
    parts = reader.CellData.GetArray("rigid")
    assert (parts and parts.GetRange(0)[1]) == rigid, run
    assert reader.CellData.GetArray("body").GetRange(0)[1] == len(last(run, "bodies")) - 1, run
    if run == "flat":
        rows = [r for r in last(run, "extremes") if r["field"] == "von-mises"]
        low, high = reader.PointData.GetArray("von-mises").GetRange(0)
        assert abs(high - max(float(r["max"]) for r in rows)) <= 1e-12 * high
        assert abs(low - min(float(r["min"]) for r in rows)) <= 1e-12 * high
print("fields read")
END
pvpython fields.py < /dev/null | grep "fields read"

pvpython "$script" ellipse --size 600x500 -o ellipse.png < /dev/null > log
pvpython "$script" ball --size 400x300 < /dev/null > log
[ "$(cat log)" = ball/paraview.png ]
python3 - << 'END'
import csv, math, struct, sys, zlib

def read_png(path):
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        n, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", data[at + 8:at + 18])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + n]
        at += 12 + n
    assert depth == 8 and kind in (2, 6)
    wide = 3 if kind == 2 else 4
    raw, row, rows, above = zlib.decompress(packed), wide * width, [], bytearray(wide * width)
    for y in range(height):
        f, line = raw[(row + 1) * y], bytearray(raw[(row + 1) * y + 1:(row + 1) * (y + 1)])
        for i in range(row):
            a, b, c = (line[i - wide], above[i], above[i - wide]) if i >= wide else (0, above[i], 0)
            p = a + b - c
            best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, best)[f]) & 255
        rows.append([tuple(line[wide * x:wide * x + 3]) for x in range(width)])
        above = line
    return rows

# the ellipse alone, left of the scale and below the title: as wide and high as its angle says
rows = read_png("ellipse.png")
assert (len(rows[0]), len(rows)) == (600, 500)
seen = [(x, y) for y in range(70, 500) for x in range(500) if min(rows[y][x]) < 250]
size = [max(s[i] for s in seen) - min(s[i] for s in seen) + 1 for i in (0, 1)]
angle = math.radians(float(list(csv.DictReader(open("ellipse/bodies.csv")))[-1]["angle"]))
a, b = 0.075, 0.03  # semi-axes of the deck
true = math.hypot(a * math.cos(angle), b * math.sin(angle)), math.hypot(a * math.sin(angle), b * math.cos(angle))
assert max(size) > 300, size  # it fills the picture
assert abs(size[0] / size[1] - true[0] / true[1]) < 0.02 * true[0] / true[1], (size, true)
# bodies in space, coloured and lit
rows = read_png("ball/paraview.png")
assert len({p for row in rows for p in row[:300]}) > 100
END

refuses() { # expected words, arguments
  words=$1
  shift
  code=0
  pvpython "$script" "$@" < /dev/null > log 2>&1 || code=$?
  [ $code = 2 ] && grep -q "$words" log || { echo "FAILED: $* gave $code:"; cat log; exit 1; }
}
refuses "no fields.pvd" nowhere
refuses "has 11 frames, 0 to 10" ellipse --frame 11
