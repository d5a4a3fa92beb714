#!/bin/bash
# The site: scripts/site builds it from the documents without a warning, scripts/check-links finds every link; and it finds
# links that are broken.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
cd "$WORK" || exit 1
mkdir -p site/runs
# a run that was interrupted: the build goes on from its checkpoint
"$CAROM" run "$CAROM_SOURCE/examples/first-throw/deck.yaml" -o site/runs/first-throw --stop-after 3 >/dev/null
# another one, which does not go on: its page says where it is
"$CAROM" run "$CAROM_SOURCE/examples/pendulum/deck.yaml" -o site/runs/pendulum --set output.frames=4 --stop-after 5 >/dev/null
"$CAROM" picture site/runs/pendulum -o site/runs/pendulum/picture.png --size 200 >/dev/null
printf 'example,case,what,expected,obtained,tolerance,source,verdict\n"beam","tip","probes tip uy end","1","1.01","0.02 rel","closed form","ok"\n"beam","bound","probes tip 2*uy_a*uz|b end","4 to 4.1","4","-","signs of Markdown","ok"\n"beam","equal","probes tip uy end","4 to 4","4","-","bounds that four digits do not tell apart","ok"\n' >rows.csv
"$CAROM_SOURCE/scripts/site" --program "$CAROM" --to site --runs first-throw --verified rows.csv >said 2>&1
check $? "scripts/site: $(tail -5 said)"
"$CAROM_SOURCE/scripts/check-links" site/html >said 2>&1
check $? "links of the site: $(tail -5 said)"
for page in index docs/tutorial docs/manual docs/theory docs/library examples/index examples/notebooks/index book/beam; do
  check "$([ -s "site/html/$page.html" ]; echo $?)" "the site has $page"
done
check "$(grep -q 'closed form' site/html/book/beam.html && grep -q '<svg class="band"' site/html/book/beam.html; echo $?)" \
  "the verification book has the row and its band"
[ "$(grep -o '<circle[^>]*><title>[^<]*</title></circle>' site/html/book/beam.html | wc -l)" = 4 ] &&
  [ "$(grep -o '<circle[^>]*><title>[^<]*</title></circle>' site/html/book/index.html | wc -l)" = 2 ]
check $? "every dot of the book says its row, in the plot of the cases and in the table: $(grep -o '<circle.*</circle>' site/html/book/index.html)"
check "$(grep -q 'first-throw/picture.png' site/html/examples/index.html && [ -s site/html/examples/first-throw/picture.png ] &&
  [ -s site/html/runs/first-throw.html ]; echo $?)" "the gallery has the picture and the page of a run"
check "$(grep -q '"completed":.*true' site/runs/first-throw/audit.json && grep -q '^0,0,' site/runs/first-throw/history.csv &&
  grep -q 'resum' site/runs/first-throw/log.txt; echo $?)" "an interrupted run goes on: $(grep -n . site/runs/first-throw/log.txt | head -3)"
check "$(grep -q 'longer than one build of the site allows' site/html/examples/pendulum/index.html; echo $?)" "a run that is not over says so"
grep -q 'prefers-color-scheme: dark' site/html/_static/styles/furo.css
check $? "the site is dark on a dark screen"
! grep -q '^import' site/html/_static/scripts/furo.js
check $? "no script imports another: browsers refuse that for files"
"$CAROM_SOURCE/scripts/site" --program "$CAROM" --to site --runs beam --book nowhere >said 2>&1
check "$([ $? = 1 ] && grep -q 'no example is named nowhere' said; echo $?)" "an example that is not there"
# a comparison that the limit interrupts: the book has its quick cases, and says so
python3 -B - "$CAROM_SOURCE/scripts" "$CAROM" "$WORK/partly" <<'END' >said 2>&1
import importlib.machinery, importlib.util, os, sys
folder, program, runs = sys.argv[1:]
sys.path.insert(0, folder)
spec = importlib.util.spec_from_loader("site_script", importlib.machinery.SourceFileLoader("site_script", folder + "/site"))
site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site)
within, limits = site.within, []
def patient(limit, command):
    limits.append(limit)
    return within(600, command) if "--quick" in command else (130, "interrupted")
site.within = patient
os.makedirs(runs)
site.verify_example(program, runs, "pendulum", 1)
site.verify_example(program, runs, "pendulum", 1)  # the same limit does not try again
rows = site.book.read(runs + "/pendulum.csv")
assert len(limits) == 2 and rows and all(row["verdict"] == "ok" for row in rows), (limits, rows)
assert sorted(os.listdir(runs)) == ["pendulum.csv", "pendulum.partly"], os.listdir(runs)
os.makedirs(runs + "/source")
site.write_book(runs + "/source", runs, None, [("pendulum", "")])
page = open(runs + "/source/book/pendulum.md").read()
assert "Some cases take longer" in page and "<svg" in page, page
site.within = within
site.verify_example(program, runs, "pendulum", 600)  # a longer one does
assert not os.path.exists(runs + "/pendulum.partly") and len(site.book.read(runs + "/pendulum.csv")) >= len(rows)
END
check $? "a comparison that takes too long leaves its quick rows: $(cat said)"
names=$(ls -d "$CAROM_SOURCE"/examples/*/deck.yaml | wc -l)
check "$([ "$(ls -d site/html/examples/*/index.html | grep -vc notebooks)" = "$names" ]; echo $?)" "every example has a page ($names)"

"$CAROM_SOURCE/scripts/figures" figures && diff -r figures "$CAROM_SOURCE/docs/pictures/theory" >said 2>&1
check $? "the figures of theory.md are those that scripts/figures draws: $(cat said)"

mkdir broken
echo '<html><body id="top"><a href="other.html">x</a><a href="#nowhere">y</a><script src="https://example.org/x.js"></script></body></html>' >broken/a.html
echo '@import url(/javascript/gone.css); a { background: url("data:image/png;base64,AA==") } /* url(remark.png) */' >broken/a.css
"$CAROM_SOURCE/scripts/check-links" broken >said
check "$([ $? = 1 ] && grep -q '1 pages, 5 links, 4 broken' said; echo $?)" "broken links are found: $(cat said)"

# the tutorial's deck is what `carom new` writes, and runs as its text says
sed -n '/^```yaml/,/^```$/p' "$CAROM_SOURCE/docs/tutorial.md" | sed '1d;$d' >deck.yaml
"$CAROM" new new.yaml >stdout 2>stderr && cmp -s new.yaml deck.yaml
check $? "carom new writes the deck of the tutorial"
run_deck 0 --set time.end=0.0004
sed -i 's/friction/frction/' deck.yaml
run_deck 2
check "$(grep -q 'deck.yaml:21:.*did you mean' stderr; echo $?)" "the mistake that the tutorial proposes is explained"
check_end
