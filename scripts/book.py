"""The verification book of the site: pages with the expected and obtained values of every example, and plots of them.

Used by scripts/site. A row is a line of the table that `carom verify -o FILE.csv` writes."""
import csv
import html
import math


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    """A table as `carom verify` writes it. Without rows there is no table."""
    if rows:
        with open(path, "w", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]), quoting=csv.QUOTE_ALL)
            table.writeheader()
            table.writerows(rows)


def numbers(row):
    """Expected value, obtained value and tolerance of a row, or None where it has a bound instead of a value."""
    try:
        aim, got = float(row["expected"]), float(row["obtained"])
        bound, kind = row["tolerance"].split()
        return aim, got, float(bound) * (abs(aim) if kind == "rel" else 1.0)
    except ValueError:
        return None


def offset(row):
    """Where the obtained value lies: -1 and 1 are the ends of what is allowed. None where there is no number.

    Beside a single bound the scale is logarithmic: eight decades from -1 to 1."""
    three = numbers(row)
    if three:
        aim, got, room = three
        return (got - aim) / room if room else math.copysign(2, got - aim) if got != aim else 0.0
    try:
        got, words = float(row["obtained"]), row["expected"].split()
        if len(words) == 3 and words[1] == "to":
            low, high = float(words[0]), float(words[2])
            return 2 * (got - low) / (high - low) - 1 if high > low else None  # four digits may not tell them apart
        if words[0] == "<" and float(words[1]) > 0:
            return 1 + math.log10(got / float(words[1])) / 4 if got > 0 else -1.0
        if words[0] == ">" and float(words[1]) > 0:
            return math.log10(got / float(words[1])) / 4 - 1 if got > 0 else -2.0
    except (ValueError, IndexError):
        pass
    return None


def place(row, width):
    """The offset as a distance from the middle, in pixels. What is far outside stays inside of the picture. What is right
    stays inside of the band: the program has judged it with more digits than the table has."""
    at, most = offset(row), 1.0 if row["verdict"] == "ok" else 1.3
    return None if at is None else width * max(-most, min(most, at))


def plain(words):
    """Words for HTML inside of Markdown. Signs of either are written as numbers: they would become tags."""
    return "".join("&#%d;" % ord(c) if c in "<>&\"'*_`|[]\\$~" else c for c in words)


def dot(row, x, y, radius):
    """A dot that says its row."""
    title = "%s, %s: expected %s, obtained %s" % tuple(row[key] for key in ("case", "what", "expected", "obtained"))
    title = plain(title)
    return ('<circle class="%s" cx="%.1f" cy="%.1f" r="%g"><title>%s</title></circle>'
            % ("dot" if row["verdict"] == "ok" else "wrong", x, y, radius, title))


def band(row):
    """A small picture: the obtained value as a dot in the band of what is allowed."""
    at = place(row, 44)
    if at is None:
        return ""
    aim = '<line class="aim" x1="64" x2="64" y1="2" y2="14"/>' if numbers(row) else ""
    return ('<svg class="band" viewBox="0 0 128 16"><rect class="room" x="20" y="5" width="88" height="6" rx="3"/>%s%s</svg>'
            % (aim, dot(row, 64 + at, 8, 4)))


def lanes(lines, middle, label):
    """Dots in the band of what is allowed. A line has a name as HTML, and rows."""
    parts, height = [], 18
    for k, (name, mine) in enumerate(lines):
        y = 30 + height * k
        dots = [dot(row, 380 + place(row, 190), y, 2.5) for row in mine if offset(row) is not None]
        parts.append('%s<line class="row" x1="142" x2="618" y1="%g" y2="%g"/>%s' % (name % (y + 4), y, y, "".join(dots)))
    tall = 44 + height * len(lines)
    return ('<svg class="overview" viewBox="0 0 640 %d" role="img" aria-label="%s">'
            '<rect class="room" x="190" y="20" width="380" height="%d"/><line class="aim" x1="380" x2="380" y1="20" y2="%d"/>'
            '<text class="head" x="190" y="14">lower limit</text><text class="head" x="380" y="14">%s</text>'
            '<text class="head" x="570" y="14">upper limit</text>%s</svg>'
            % (tall, label, tall - 34, tall - 14, middle, "".join(parts)))


def overview(rows):
    """One line an example, one dot a row, at its place in the band of what is allowed."""
    lines = [('<a href="%s.html"><text x="136" y="%%g">%s</text></a>' % (name, html.escape(name)), mine) for name, mine in rows.items()]
    return lanes(lines, "expected", "All rows in their bands")


def by_case(rows):
    """One line a case, one dot a row: for examples whose answers are bounds rather than values."""
    cases = {}
    for row in rows:
        cases.setdefault(row["case"], []).append(row)
    lines = [('<text x="136" y="%%g">%s</text>' % html.escape(case).replace("%", "%%"), mine) for case, mine in cases.items()
             if any(offset(row) is not None for row in mine)]
    return lanes(lines, "middle", "Rows in their bands, case by case") if lines else ""


def decades(values):
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return (low, high) if high > low else (low - 1, high + 1)


def scatter(rows):
    """Obtained against expected values by size, on logarithmic scales. Right answers lie on the diagonal."""
    points = [(row, abs(three[0]), abs(three[1])) for row in rows for three in [numbers(row)]
              if three and three[0] * three[1] > 0]
    if len(points) < 3:
        return ""
    low, high = decades([value for _, aim, got in points for value in (aim, got)])
    at = lambda value: 300 * (math.log10(value) - low) / (high - low)
    every = max(1, (high - low + 5) // 6)
    parts = []
    for k in range(low, high + 1, every):
        x = at(10.0 ** k)
        parts.append('<line class="row" x1="%g" x2="%g" y1="10" y2="310"/><line class="row" x1="60" x2="360" y1="%g" y2="%g"/>'
                     '<text class="head" x="%g" y="326">1e%d</text><text x="54" y="%g">1e%d</text>'
                     % (60 + x, 60 + x, 310 - x, 310 - x, 60 + x, k, 314 - x, k))
    parts += [dot(row, 60 + at(aim), 310 - at(got), 3.5) for row, aim, got in points]
    return ('<svg class="scatter" viewBox="0 0 380 350" role="img" aria-label="Obtained against expected values">'
            '<line class="aim" x1="60" x2="360" y1="310" y2="10"/>%s<text class="head" x="210" y="346">expected, size</text>'
            '<text class="head" transform="translate(14 160) rotate(-90)">obtained, size</text></svg>' % "".join(parts))


def page(name, rows, partly=False):
    """The page of one example: a plot, then the table. PARTLY: some of its cases were not compared."""
    lines = ["# %s\n" % name, "[The example](../examples/%s/index.md)\n" % name, (scatter(rows) or by_case(rows)) + "\n",
             "Some cases take longer than this build allows, and are not here. `carom verify %s` compares all.\n" % name if partly else "",
             '<div class="table-wrapper"><table class="docutils book">',
             "<thead><tr>%s</tr></thead><tbody>" % "".join("<th>%s</th>" % head for head in ("case", "what, and where the answer comes from", "expected", "obtained", "tolerance", ""))]
    for row in rows:
        what = "<td>%s<small>%s</small></td>" % (plain(row["what"]), plain(row["source"]))
        numbers_of = "".join("<td>%s</td>" % plain(row[key]) for key in ("expected", "obtained", "tolerance"))
        lines.append("<tr><td>%s</td>%s%s<td>%s</td></tr>" % (plain(row["case"]), what, numbers_of, band(row) or row["verdict"]))
    return "\n".join(lines) + "\n</tbody></table></div>\n"


def index(rows, missing):
    """The first page: how many rows, a plot of all, and which examples are missing."""
    total = sum(len(mine) for mine in rows.values())
    wrong = sum(row["verdict"] != "ok" for mine in rows.values() for row in mine)
    said = "%d rows of %d examples; %d outside of what is allowed." % (total, len(rows), wrong)
    if not rows:
        said = "This site was built without obtained values: `scripts/site --book all` runs the comparisons."
    elif missing:
        said += "\n\nNot compared in this build: %s. `carom verify NAME` does it." % ", ".join(missing)
    return ("# Verification book\n\nEvery example with its expected and obtained values. Expected values come from papers, "
            "analysis, or other programs; [Verification](../docs/verification.md) says from where. A dot is an obtained value. "
            "The grey band is what is allowed: the tolerance around the expected value, or the range between two bounds. "
            "Where there is one bound, the band shows the eight decades beside it.\n\n%s\n\n%s\n\n"
            "```{toctree}\n:maxdepth: 1\n\n%s\n```\n" % (said, overview(rows) if rows else "", "\n".join(rows)))
