"""The server of `carom view` in the folder of test_view.sh: run/ is a finished run, decks/deck.yaml a deck."""
import json, os, re, select, shutil, signal, socket, subprocess, threading, time

CAROM = os.environ["CAROM"]
LONG = 1200  # seconds that nothing here takes, however busy the machine is
checks = 0


def check(good, text):
    global checks
    checks += 1
    if not good:
        print("FAILED:", text)
        os._exit(1)


def until(condition, text):
    """Waits for what must come."""
    end = time.time() + LONG
    while not condition():
        check(time.time() < end, text)
        time.sleep(0.1)
    check(True, text)


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([CAROM, "view", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.match(r"http://127\.0\.0\.1:(\d+)/", self.address).group(1))
        self.host = f"127.0.0.1:{self.port}"

    def raw(self, data):
        """The answer to bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=LONG) as s:
            try:
                s.sendall(data)
            except OSError:
                pass
            answer = b""
            try:
                while part := s.recv(65536):
                    answer += part
                    head, _, body = answer.partition(b"\r\n\r\n")
                    length = re.search(rb"Content-Length: (\d+)", head)
                    if length and len(body) >= int(length.group(1)):
                        break
            except OSError:
                pass
        return answer

    def status(self, data):
        answer = self.raw(data)
        return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0

    def get(self, path, host=None, more=""):
        return self.status(f"GET {path} HTTP/1.1\r\nHost: {host or self.host}\r\n{more}\r\n".encode())

    def body(self, path):
        return self.raw(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode()).split(b"\r\n\r\n", 1)

    def post(self, path, text, origin=True, token=None, kind="application/json", length=None):
        data = text.encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: {len(data) if length is None else length}\r\n"
        if kind:
            head += f"Content-Type: {kind}\r\n"
        if origin:
            head += f"Origin: {'http://' + self.host if origin is True else origin}\r\n"
        if token:
            head += f"X-Carom-Token: {token}\r\n"
        answer = self.raw(head.encode() + b"\r\n" + data)
        head, _, body = answer.partition(b"\r\n\r\n")
        return (int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0), body

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(LONG) == 0, "the server ends well")


# ---- a run ---------------------------------------------------------------------------------------

open("secret.txt", "w").write("secret")
os.symlink(os.path.abspath("secret.txt"), "run/probes.csv.link")
os.remove("run/bodies.csv")
os.symlink(os.path.abspath("secret.txt"), "run/bodies.csv")
frames = open("run/fields.pvd").read().count("<DataSet")
check(frames > 6, "enough frames to look at")
server = Server("run")

head, page = server.body("/")
check(head.startswith(b"HTTP/1.1 200") and b"<title>carom" in page, "a finished run is shown by its report")
for name in (b"Content-Security-Policy: default-src 'self'", b"X-Content-Type-Options: nosniff", b"Cache-Control: no-store", b"frame-ancestors 'none'"):
    check(name in head, f"answers carry {name}")
check(b"Access-Control" not in head, "no other page may read")
check(server.body("/files/history.csv")[1] == open("run/history.csv", "rb").read(), "history.csv as it is")
check(server.body("/files/log.txt")[1] == open("run/log.txt", "rb").read(), "log.txt as it is")
check(server.body("/files/fields/0003.vtu")[1] == open("run/fields/0003.vtu", "rb").read(), "a frame as it is")
check(json.loads(server.body("/deck.json")[1])["title"].startswith("Skew"), "the deck")
film = server.body("/film?from=2&count=3&part=7")[1].decode()
document = json.loads(re.search(r'id="document">(.*)</script>', film).group(1))
check(document["total"] == frames and len(document["film"]["times"]) == 3 and 'id="part7"' in film, "three frames")
for query in ("from=99999", "from=-5000&count=-3", "from=x&count=99999999999999999999&part=-1", "from=1e9&part=%00"):
    check(server.get("/film?" + query) == 200, f"film?{query}")

# paths that lead out, or to what is no file of a run
for path in ("/../secret.txt", "/files/../secret.txt", "/files/../../etc/passwd", "/files/%2e%2e/secret.txt", "/files/..%2fsecret.txt", "/files//etc/passwd",
             "//etc/passwd", "/files/fields/../history.csv", "/files/fields/..%2f..%2fsecret.txt", "/files/fields/0001.vtu/../../secret.txt", "/files/checkpoint.h5",
             "/files/probes.csv.link", "/files/fields/", "/files/", "/files/fields/x.vtu", "/files/fields/99999999999999999999999.vtu", "/files/.", "/x", "/check", "/save", "/run",
             "/files/history.csv.", "/files/history.csv/", "/files/HISTORY.CSV", "/files/%5c..%5csecret.txt", "/" + 4000 * "a", "/files/" + 500 * "../" + "etc/passwd"):
    answer = server.raw(f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
    check(b"secret" not in answer.partition(b"\r\n\r\n")[2] and b"root:" not in answer, f"{path[:60]} leads out")
    check(re.match(rb"HTTP/1.1 (404|400|403)", answer), f"{path[:60]}: {answer[:40]}")
check(server.get("/files/bodies.csv") == 404, "links are not followed")

# who asks, and how
for host in ("example.com", f"example.com:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}", f"127.0.0.1:{server.port}.example.com", f"[::1]:{server.port}", ""):
    check(server.get("/", host=host or " ") in (403, 400), f"host {host}")
check(server.get("/files/audit.json", host=f"localhost:{server.port}") == 200, "localhost is this machine")
check(server.status(b"GET / HTTP/1.1\r\n\r\n") in (403, 400), "no host")
check(server.status(b"GET / HTTP/1.0\r\n\r\n") in (403, 400, 505), "no host, old")
check(server.get("/", more="Host: example.com\r\n") == 403, "two hosts")
check(server.status(f"GET http://example.com/ HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()) != 200, "another's address")
check(server.get("/", more="Origin: http://example.com\r\n") == 403, "another's page")
for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND"):
    answer = server.raw(f"{method} / HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 0\r\nOrigin: http://example.com\r\nAccess-Control-Request-Method: POST\r\n\r\n".encode())
    check(not answer.startswith(b"HTTP/1.1 200") and b"Access-Control-Allow" not in answer, f"{method}: {answer[:60]}")
check(server.status(b"GET / HTTP/1.1\r\nHost: " + server.host.encode() + b"\r\nX: " + 200000 * b"a" + b"\r\n\r\n") != 200, "200 kB of head")
check(server.status(b"\x00\xff garbage\r\n\r\n") != 200, "garbage")
check(server.get("/files/history.csv%00.html") in (200, 404, 400), "a zero byte")

# on loopback only
with open("/proc/net/tcp") as f:
    listening = [line.split()[1] for line in f if line.split()[3] == "0A"]
check([a for a in listening if a.endswith(f":{server.port:04X}")] == [f"0100007F:{server.port:04X}"], "127.0.0.1 and nothing else")

# silent ones, and some that break off in the middle of a request: far more than are answered at a time, and nobody waits for them
ANSWERS, PATIENCE = 16, 5
silent = []
for k in range(200):
    s = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
    if k % 2:
        s.sendall(b"GET / HTTP/1.1\r\nHo")
    silent.append(s)
check(server.get("/files/audit.json") == 200, "served beside silent clients")
held = len(silent) - len(select.select(silent, [], [], 0)[0])
check(held > 2 * ANSWERS, f"silent clients were still there, or this test shows nothing ({held} of {len(silent)})")
for s in silent:
    s.close()

# slow ones: as many as are answered at a time, so that only giving them up lets others in
big = open("run/fields/9999.vtu", "wb")  # more than the buffers of both sides hold
big.truncate(40 << 20)
big.close()


def read_slowly(s, stop):
    """Takes a little, again and again: less than 16 kB in the time that a server should have for it."""
    while not stop.is_set():
        try:
            if not s.recv(700):
                break
        except OSError:
            break
        stop.wait(0.5)


def busy(what, start):
    """Others must wait while all answers go to slow ones, and are served when these are given up."""
    stop, slow = threading.Event(), []
    began = time.time()
    for k in range(ANSWERS):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.connect(("127.0.0.1", server.port))
        s.sendall(file_request)
        check(s.recv(1, socket.MSG_PEEK) == b"H", f"{what}: a place is taken")  # its answer has begun
        start(s, stop)
        slow.append(s)
    until(lambda: server.get("/files/audit.json") == 200, f"{what}: others are served")
    waited = time.time() - began
    check(waited > PATIENCE - 2, f"{what}: others had to wait, or this test shows nothing ({waited:.1f} s)")
    stop.set()
    for s in slow:
        s.close()
    until(lambda: server.get("/files/audit.json") == 200, f"{what}: all threads are free again")


file_request = f"GET /files/fields/9999.vtu HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
busy("readers that stand still", lambda s, stop: None)
busy("readers that take a byte now and then", lambda s, stop: threading.Thread(target=read_slowly, args=(s, stop), daemon=True).start())
os.remove("run/fields/9999.vtu")

# live streams: a few, then no more; files beside them; they come free again
streams = []
for k in range(6):
    s = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
    s.sendall(f"GET /events HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
    check(s.recv(1000).startswith(b"HTTP/1.1 200"), "a stream")
    streams.append(s)
check(server.get("/events") == 503, "one stream too many")
check(server.get("/files/audit.json") == 200, "files beside streams")
for s in streams:
    s.close()


def stream_is_free():
    with socket.create_connection(("127.0.0.1", server.port), timeout=LONG) as s:
        s.sendall(f"GET /events HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
        return s.recv(1000).split()[1] == b"200"


until(stream_is_free, "streams come free again")

check(server.get("/files/audit.json") == 200, "still there")
server.end()

# ---- a run that goes on ---------------------------------------------------------------------------

rows = open("run/history.csv").read().splitlines(keepends=True)
os.mkdir("grows")
shutil.copy("run/run.yaml", "grows")
open("grows/history.csv", "w").write("".join(rows[:3]) + rows[3][:20])
server = Server("grows")
check(b"Waiting for the run" in server.body("/")[1], "the live page")
stream = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
stream.sendall(f"GET /events HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
heard = ""


def hear(words):
    global heard
    while words not in heard:
        more = stream.recv(65536)
        check(more, f"heard: {words[:60]}")
        heard += more.decode()


hear("data: " + rows[2])
check("data: " + rows[3][:20] not in heard, "half a row is not told")
with open("grows/history.csv", "w") as f:
    f.write("".join(rows[:6]))
hear("data: " + rows[5])
check(heard.count("data: " + rows[2]) == 1, "no row twice")
shutil.copytree("run/fields", "grows/fields")
shutil.copy("run/fields.pvd", "grows")
hear(f"event: frames\ndata: {frames}\n")
shutil.copy("run/audit.json", "grows")
hear('"completed":')
stream.close()
check(b"Waiting for the run" not in server.body("/")[1], "when it has ended: the report")

# coming back: on from where it was
offset = len("".join(rows[:4]).encode())
stream = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
stream.sendall(f"GET /events HTTP/1.1\r\nHost: {server.host}\r\nLast-Event-ID: {offset}\r\n\r\n".encode())
heard = ""
hear("data: " + rows[5])
check("data: " + rows[3] not in heard, "what was heard is not told again")
# another run in the same folder
open("grows/other.csv", "w").write("".join(rows[:2]))
os.rename("grows/other.csv", "grows/history.csv")
hear("event: again")
stream.close()
server.end()

# ---- the editor -----------------------------------------------------------------------------------

deck = open("decks/deck.yaml").read()
before = sorted(os.listdir("."))
server = Server("--edit", "decks/deck.yaml")
token = re.search(r"token=([0-9a-f]{32})$", server.address).group(1)
ask = lambda path, text, **how: server.post(path, json.dumps({"text": text}), **{"token": token, **how})

check(server.get("/") == 403 and server.get("/?token=" + "0" * 32) == 403 and server.get("/?token=") == 403, "the page wants the token")
page = server.body("/?token=" + token)[1].decode()
check(json.loads(re.search(r'id="document">(.*)</script>', page).group(1))["text"] == deck, "the page has the deck")
check(json.loads(server.body("/schema.json?token=" + token)[1])["properties"]["bodies"], "the schema")

# whatever tells of the deck or its run wants the token too, in the query or the head, and no page of others
for path in ("/schema.json", "/deck.json", "/film?from=0&count=1&part=0", "/events", "/report.html", "/files/history.csv", "/files/run.yaml", "/nothing"):
    both = path + ("&" if "?" in path else "?") + "token="
    check(server.get(path) == 403 and server.get(both + "0" * 32) == 403 and server.get(both + token[:-1]) == 403, f"{path} without token")
    check(server.get(path, more=f"X-Carom-Token: {'0' * 32}\r\n") == 403, f"{path} with a wrong token in the head")
    check(server.get(both + token, more="Origin: http://example.com\r\n") == 403, f"{path} for another's script")
    if path not in ("/report.html",):
        check(server.get(both + token, more="Referer: http://example.com/a\r\n") == 403, f"{path} for another's page")
        check(server.get(both + token, more=f"Referer: http://{server.host}.example.com/\r\n") == 403, f"{path} for a page with a similar name")
        check(server.get(both + token, more="Sec-Fetch-Site: cross-site\r\n") == 403, f"{path} from another site")
        check(server.get(both + token, more="Sec-Fetch-Site: same-site\r\n") == 403, f"{path} from another port")
for more in (f"X-Carom-Token: {token}\r\n", f"X-Carom-Token: {token}\r\nSec-Fetch-Site: same-origin\r\nReferer: http://{server.host}/?token={token}\r\n"):
    check(server.get("/schema.json", more=more) == 200, "the page itself")
check(server.get("/?token=" + token, more="Sec-Fetch-Site: none\r\n") == 200, "an address that was typed")

# what changes or starts anything wants the token, the page's own origin, and JSON
for path in ("/save", "/run", "/stop", "/check"):
    check(ask(path, "x", token=None)[0] == 403, f"{path} without token")
    check(ask(path, "x", token="0" * 32)[0] == 403 and ask(path, "x", token=token[:-1])[0] == 403, f"{path} with a wrong token")
    check(ask(path, "x", origin=None)[0] == 403, f"{path} without origin")
    for origin in ("http://example.com", "null", f"https://127.0.0.1:{server.port}", f"http://127.0.0.1:{server.port}.example.com"):
        check(ask(path, "x", origin=origin)[0] == 403, f"{path} from {origin}")
    check(ask(path, "x", kind="text/plain")[0] == 415 and ask(path, "x", kind=None)[0] == 415, f"{path} as a form")
    check(server.get(f"{path}?token={token}") == 405, f"{path} by GET")
check(server.post("/save", "{" + 1100000 * " ", token=token)[0] == 413, "more than a megabyte")
check(server.post("/save", "{}", token=token, length=10 ** 18)[0] == 413, "a length that lies")
check(server.raw(f"POST /save HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\nX-Carom-Token: {token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{{}} \r\n0\r\n\r\n".encode())[9:10] == b"4", "no length")
for body in ("", "x", "[]", "{}", '{"text": 3}', '{"text": null}', "[" * 100000):
    status, said = server.post("/save", body, token=token)
    check(status == 400, f"save of {body[:20]}: {status} {said[:80]}")
check(open("decks/deck.yaml").read() == deck and os.listdir("decks") == ["deck.yaml"], "nothing has been written")

# a body that does not come
s = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
s.sendall(f"POST /save HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\nX-Carom-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{".encode())
check(s.recv(100)[:12] in (b"HTTP/1.1 400", b""), "a body that does not come is given up")
s.close()

# checking
status, body = ask("/check", deck)
model = json.loads(re.search(r'id="document">(.*)</script>', body.decode()).group(1))["model"]
check(status == 200 and [b["name"] for b in model["bodies"]] == ["left", "right"], "a good deck")
check(abs(model["bodies"][0]["velocity"][0] - 1) < 1e-12 and len(model["pairs"][0]["slave"]) == 32, "its velocities and pairs")
line = next(k for k, text in enumerate(deck.splitlines(), 1) if "method:" in text)
answer = json.loads(ask("/check", deck.replace("method: dissipative", "method: dissipatve"))[1])
check(answer["good"] is False and answer["line"] == line and answer["column"] == 11 and 'did you mean "dissipative"' in answer["message"] and "decks" not in answer["message"], answer)
answer = json.loads(ask("/check", "\t: [")[1])
check(answer["good"] is False and answer["line"] == 1, answer)
for text in ("", "\u0000", "a: &a [*a]", "x" * 900000):
    check(json.loads(ask("/check", text)[1])["good"] is False, "a deck that is none")
check(open("decks/deck.yaml").read() == deck and os.listdir("decks") == ["deck.yaml"], "checking leaves nothing")

# saving, running, stopping
changed = deck.replace("[0.01, 250]", "[0.0001, 250000]")
check(json.loads(ask("/save", changed)[1])["good"] and open("decks/deck.yaml").read() == changed, "saved")
for text in ("carom: 1\n\0title: x\n", "\0", deck + "\0"):
    status, said = ask("/save", text)
    check(status == 400 and not json.loads(said)["good"] and "NUL" in json.loads(said)["message"], f"a deck with a NUL: {status} {said[:80]}")
    check(ask("/run", text)[0] == 400, "it does not run either")
check(server.post("/save", '{"text": "a\0b"}', token=token)[0] == 400, "a NUL as a byte")
check(open("decks/deck.yaml").read() == changed and os.listdir("decks") == ["deck.yaml"], "the deck is as it was")
check(json.loads(ask("/save", changed + '# "\\\\u0000"\n')[1])["good"] and open("decks/deck.yaml").read().endswith('# "\\\\u0000"\n'), "its spelling is none")
stream = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
stream.sendall(f"GET /events?token={token} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
heard = ""
hear('"child":null')
check(json.loads(ask("/run", changed)[1])["good"], "it runs")
check(ask("/run", changed)[0] == 409, "once at a time")
hear('"running":true')
hear("event: history")
check(json.loads(ask("/stop", "")[1])["good"], "it is asked to stop")
hear('"running":false,"code":130')
check(sorted(os.listdir("decks")) == ["deck.out", "deck.yaml"] and os.path.exists("decks/deck.out/checkpoint.h5"), "its files are beside the deck")
stream.close()
shutil.rmtree("decks/deck.out")
os.symlink(os.path.abspath("run"), "decks/deck.out")
check(ask("/run", deck)[0] == 409 and not json.loads(ask("/run", deck)[1])["good"], "results do not go through a link")
os.remove("decks/deck.out")

# the server ends: so does its run
open("decks/deck.yaml", "w").write(deck)
check(json.loads(ask("/run", changed)[1])["good"], "it runs again")
until(lambda: os.path.exists("decks/deck.out/history.csv"), "it has begun")
server.end()
check(not os.path.exists("decks/deck.out/audit.json") and subprocess.run(["pgrep", "-f", os.path.abspath("decks/deck.yaml")], stdout=subprocess.DEVNULL).returncode == 1, "nothing goes on")
# the server is killed: its run ends all the same, and can go on
server = Server("--edit", "decks/deck.yaml")
token = re.search(r"token=([0-9a-f]{32})$", server.address).group(1)
check(json.loads(ask("/run", changed)[1])["good"], "it runs once more")
child = int(subprocess.run(["pgrep", "-P", str(server.process.pid)], stdout=subprocess.PIPE, text=True).stdout)
stream = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
stream.sendall(f"GET /events?token={token} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
heard = ""
hear("event: history")
server.process.kill()
server.process.wait()
stream.close()
for k in range(600):
    try:
        if open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0] == "Z":
            break
        time.sleep(0.1)
    except OSError:
        break
else:
    os.kill(child, signal.SIGKILL)
    check(False, "the run of a server that was killed goes on")
check("stopped at t =" in open("decks/deck.out/log.txt").read() and os.path.exists("decks/deck.out/checkpoint.h5"), "it stopped with a checkpoint")

check(sorted(os.listdir(".")) == before, "nothing outside of the deck's folder")
print(f"{checks} checks")
