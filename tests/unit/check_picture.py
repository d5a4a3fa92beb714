"""Reads the pictures and plots that test_picture.sh made, with a PNG reader of its own."""
import csv, math, os, re, struct, sys, zlib
import xml.etree.ElementTree as ET


def fail(text):
    print("FAILED:", text)
    sys.exit(1)


def read_png(path):
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        n, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            packed += body
        at += 12 + n
    raw, row, rows, above = zlib.decompress(packed), 3 * width, [], bytearray(3 * width)
    for y in range(height):
        f, line = raw[(row + 1) * y], bytearray(raw[(row + 1) * y + 1:(row + 1) * (y + 1)])
        for i in range(row):
            a, b, c = (line[i - 3], above[i], above[i - 3]) if i > 2 else (0, above[i], 0)
            p = a + b - c
            best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, best)[f]) & 255
        rows.append([tuple(line[3 * x:3 * x + 3]) for x in range(width)])
        above = line
    return rows


def extent(rows, is_body):
    xs = [x for row in rows for x, p in enumerate(row) if is_body(p)]
    ys = [y for y, row in enumerate(rows) if any(is_body(p) for p in row)]
    return min(xs), max(xs) + 1, min(ys), max(ys) + 1


# the spinning block: speed 3 r. The scale ends at a round number above 3 sqrt 5 = 6.71, here 7; its
# colours stand in the bar
rows = read_png("spin.png")
if (len(rows[0]), len(rows)) != (400, 300):
    fail("size of spin.png")
bar_at = 288  # pixels from the left, right of the body
white = (255, 255, 255)
body = [row[:bar_at - 28] for row in rows]
left, right, top, bottom = extent(body, lambda p: p != white)
if abs((right - left) / (bottom - top) - 2) > 0.02:
    fail(f"the block is 2 to 1, not {right - left} to {bottom - top}")
scale, middle = (right - left) / 4, ((left + right) / 2, (top + bottom) / 2)
bar = [rows[y][bar_at] for y in range(300) if len(set(rows[y][bar_at])) > 1]
bar = [c for c in bar if c != white][::-1]
for px, py in ((0.3, 0.2), (1.2, -0.4), (-1.7, 0.8), (0.9, 0.9)):
    seen = body[int(middle[1] - py * scale)][int(middle[0] + px * scale)]
    value = 3 * math.hypot(px, py)
    best = min(range(len(bar)), key=lambda k: sum((a - b) ** 2 for a, b in zip(bar[k], seen)))
    if abs(7 * best / len(bar) - value) > 0.35:  # elements of 0.5: the length of a linear field is no linear field
        fail(f"at {px}, {py} the speed is {value:.2f}, its colour says {7 * best / len(bar):.2f}")

# the same block as areas: the colour of a place is that of the last area over it
def svg_areas(path):
    areas, texts = [], []
    for node in ET.parse(path).iter():
        kind = node.tag.split("}")[1]
        if kind == "path" and node.get("fill") != "none":
            for ring in node.get("d").split("Z")[:-1]:
                areas.append((node.get("fill"), [tuple(map(float, p.split())) for p in re.split("[ML]", ring)[1:]]))
        if kind == "text":
            texts.append((float(node.get("x")), float(node.get("y")), node.text))
    return areas, texts


def pdf_areas(path):
    data = open(path, "rb").read()
    start = int(data.split(b"startxref")[1].split()[0])
    table = data[start:].split(b"\n")
    if not data.startswith(b"%PDF-") or table[0] != b"xref":
        fail(f"{path}: no table of objects")
    for k in range(1, 5):
        if not data[int(table[2 + k][:10]):].startswith(b"%d 0 obj" % k):
            fail(f"{path}: object {k} is not where the table says")
    text = zlib.decompress(data.split(b"stream\n")[1]).decode()
    areas, ring, rings, stack, colour = [], [], [], [], None
    for word in text.split():
        if re.match(r"[-.0-9]", word):
            stack.append(float(word))
            continue
        if word == "rg":
            colour = "#" + "".join(f"{round(255 * v):02x}" for v in stack[-3:])
        if word in "ml":
            ring = ring + [tuple(stack[-2:])] if word == "l" else [tuple(stack[-2:])]
        if word == "h":
            rings.append(ring)
        if word in "BSf":
            areas += [(colour, r) for r in rings] if word == "B" else []
            rings = []
        stack = []
    return areas


def inside(x, y, ring):
    odd = False
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            odd = not odd
    return odd


svg, texts = svg_areas("spin.svg")
for kind, areas in (("svg", svg), ("pdf", pdf_areas("spin.pdf"))):
    split = next(k for k, (c, r) in enumerate(areas) if min(p[0] for p in r) > 1100)
    block, bar = areas[:split], [c for c, r in areas[split:]][::-1]
    if len(bar) != 256:
        fail(f"{kind}: a bar of {len(bar)} colours")
    xs, ys = ([p[i] for c, r in block for p in r] for i in (0, 1))
    scale, middle = (max(xs) - min(xs)) / 4, ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
    if abs((max(ys) - min(ys)) / scale - 2) > 0.01:
        fail(f"{kind}: the block is 2 to 1")
    for px, py in ((0.3, 0.2), (1.2, -0.4), (-1.7, 0.8), (0.9, 0.9)):
        colour = [c for c, r in block if inside(middle[0] + px * scale, middle[1] - py * scale, r)][-1]
        rgb = lambda c: [int(c[i:i + 2], 16) for i in (1, 3, 5)]
        best = min(range(256), key=lambda k: sum((a - b) ** 2 for a, b in zip(rgb(bar[k]), rgb(colour))))
        if abs(7 * best / 256 - 3 * math.hypot(px, py)) > 0.35:
            fail(f"{kind}: at {px}, {py} the colour says {7 * best / 256:.2f}")
    if kind == "svg":  # the numbers of the axis stand where the block is
        for at in (-2, 0, 2):
            found = [x for x, y, t in texts if t == f"{at}.0" or t == f"{at}"]
            if not any(abs(x - middle[0] - at * scale) < 1 for x in found):
                fail(f"the axis has no {at} at its place")
times = [t for x, y, t in svg_areas("panels.svg")[1] if t.startswith("t = ")]
if [float(t[4:]) for t in times] != [0, 0.02, 0.05]:
    fail(f"times of the panels: {times}")
if len(pdf_areas("panels.pdf")) < 2.5 * len([a for a in pdf_areas("spin.pdf")]) - 3 * 256:
    fail("panels.pdf shows less than three frames")
# four panels: between the blocks there are rows and columns of paper
rows = read_png("many.png")
dark = [any(p[2] - p[0] > 30 for p in row[:480]) for row in rows]
if sum(a and not b for a, b in zip(dark, dark[1:] + [False])) < 2:
    fail("many.png has one row of panels")

# the box from the front and from above: 2 by 1 by 1, over the floor's grid or on it
pale = lambda p: p[2] - p[0] > 35  # blue
for name, ratio in (("front.png", 2), ("top.png", 2)):
    x0, x1, y0, y1 = extent(read_png(name), pale)
    if abs((x1 - x0) / (y1 - y0) - ratio) > 0.08:
        fail(f"{name}: {x1 - x0} to {y1 - y0}")
for field in ("displacement", "velocity", "von-mises", "pressure", "status"):
    rows = read_png(f"box-{field}.png")
    if len(rows[0]) != 240 or len({p for row in rows for p in row}) < 8:
        fail(f"box-{field}.png is empty")
if open("spin.out/picture.png", "rb").read()[16:20] != struct.pack(">I", 1280):
    fail("picture.png beside the run")

# ---- plots -----------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def number(text):
    return float(text.replace("\u2212", "-"))


def curves(path):
    """Points of every curve in the units of the axes, by the labels of the legend."""
    root = ET.parse(path).getroot()
    frame = next(r for r in root.iter(SVG + "rect") if r.get("class") == "axis")
    x, y, w, h = (float(frame.get(k)) for k in ("x", "y", "width", "height"))
    texts = [t for t in root.iter(SVG + "text")]
    power = {"x": 0, "y": 0}
    for t in texts:
        if "".join(t.itertext()).startswith("\u00d7"):
            axis = "x" if float(t.get("y")) > y + h else "y"
            power[axis] = int(t.find(SVG + "tspan").text)
    ticks_x = [(float(t.get("x")), float(t.text)) for t in texts if t.get("class") == "mid" and t.get("x") and
               abs(float(t.get("y")) - (y + h + 20)) < 1]
    ticks_y = [(float(t.get("y")) - 4, float(t.text)) for t in texts if t.get("class") == "end" and
               abs(float(t.get("x")) - (x - 9)) < 1 and t.text]
    def line(ticks, e):
        (p, a), (q, b) = ticks[0], ticks[-1]
        return lambda s: (a + (s - p) * (b - a) / (q - p)) * 10 ** e
    to_x, to_y = line(ticks_x, power["x"]), line(ticks_y, power["y"])
    paths = [p for p in root.iter(SVG + "path") if p.get("class") == "curve"]
    legend = {p.get("stroke"): next(t.text for t in texts if abs(float(t.get("y") or 0) - 4 - float(
        re.match(r"M[\d.]+ ([\d.]+)h", p.get("d")).group(1))) < 1 and t.get("class") == "start")
        for p in paths if "h30" in p.get("d")}
    found = {}
    for p in paths:
        if "h30" in p.get("d"):
            continue
        points = [tuple(map(float, s.split())) for s in re.split("[ML]", p.get("d")) if s.strip()]
        found[legend[p.get("stroke")]] = [(to_x(a), to_y(b)) for a, b in points]
    return found, (to_y(0) - to_y(1)), root


rows = list(csv.DictReader(open("box.out/history.csv")))
found, pixel, _ = curves("box.out/plots/energy.svg")
for column, label in (("kinetic", "kinetic"), ("strain", "strain"), ("energy", "energy")):
    for row in rows:
        t, value = float(row["time"]), float(row[column])
        near = min(found[label], key=lambda p: abs(p[0] - t))
        if abs(near[1] - value) > 0.2 * pixel:
            fail(f"energy.svg: {label} at {t}: {near[1]} for {value}")
if "potential" in found or "external work" in found:
    fail("energy.svg shows what is zero all the time")

title = "".join(ET.parse("curves/energy.svg").getroot().find(SVG + "title").itertext())
texts = ["".join(t.itertext()) for t in ET.parse("curves/energy.svg").getroot().iter(SVG + "text")]
if title != "Energies" or "A & B <spin>" not in texts:
    fail("texts of energy.svg")

found, pixel, _ = curves("long/plots/energy.svg")
if abs(max(y for _, y in found["kinetic"]) - 7.5) > pixel or len(found["kinetic"]) > 5000:
    fail("long run: the peak is lost, or the file is long")
if os.path.getsize("long/plots/iterations.svg") > 60000:
    fail("long run: iterations.svg is too long")
if sorted(os.listdir("long/plots")) != ["energy.svg", "iterations.svg"]:
    fail("plots of columns that are not there")
if os.listdir("short/plots") != ["energy.svg"]:
    fail("a table of one row")
if not os.path.exists("box.out/plots/force-0.svg") or os.path.exists("curves/force-0.svg"):
    fail("forces of pairs")
