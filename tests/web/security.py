"""Who gets in: requests and WebSocket upgrades of all kinds against a running `banyan web`.

    python3 tests/web/security.py BANYAN

Plain sockets, so that nothing is repaired on the way.  Prints one line for each fault; exit status 1 if there is any.
"""

import base64
import gzip
import itertools
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
PATIENCE_S = 120  # for anything that must come; machines may be slow
faults = 0


def check(condition, what):
    global faults
    if not condition:
        faults += 1
        print("FAILED:", what)


class Server:
    def __init__(self, program):
        # whoever starts this test may ignore Ctrl-C
        listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        self.process = subprocess.Popen([program, "web"], stdout=subprocess.PIPE, text=True, preexec_fn=listen)
        link = self.process.stdout.readline().strip()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})", link).groups()
        self.port = int(self.port)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


def read_head(stream):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = stream.recv(1)
        if not piece:
            break
        head += piece
    lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split()[1]) if lines[0] else 0, fields


def request(server, method="GET", path="/", host=None, encoding="gzip", more=""):
    """Status, headers and body of one answer."""
    with server.connect() as stream:
        host = f"127.0.0.1:{server.port}" if host is None else host
        accept = f"Accept-Encoding: {encoding}\r\n" if encoding else ""
        stream.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{accept}{more}Connection: close\r\n\r\n".encode())
        status, fields = read_head(stream)
        body = b""
        while len(body) < int(fields.get("content-length", 0)):
            piece = stream.recv(65536)
            if not piece:
                break
            body += piece
        return status, fields, body


def http(server):
    status, fields, body = request(server)
    check(status == 200 and fields.get("content-encoding") == "gzip", f"/ is {status}")
    check(fields.get("content-security-policy") == POLICY, "the policy of / is another one")
    for name, value in {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }.items():
        check(fields.get(name) == value, f"{name} is {fields.get(name)}")
    check(b"<!doctype html>" in gzip.decompress(body), "/ is no page")
    check(request(server, path="/search/othello")[2] == body, "/search/othello is not the page")
    script = request(server, path="/app.js")
    check(script[0] == 200 and "javascript" in script[1]["content-type"], "there is no script")
    for path in ("/../../etc/passwd", "/etc/passwd", "/app.js/", "/index.html", "/app.js.gz", "//app.js/x", "/%2e%2e/x"):
        check(request(server, path=path)[::2] == (404, body), f"{path} is not 404 with the page that says so")
        check(request(server, path=path, encoding=None)[::2] == (404, b"There is no such page."), f"{path} is not 404 with a sentence")
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        status = request(server, method=method, more="Content-Length: 0\r\n")[0]
        check(status == 405, f"{method} is {status}")
    for host in ("evil", f"evil:{server.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1:{server.port}.evil", ""):
        check(request(server, host=host)[0] == 421, f"Host {host!r} is not refused")
    check(request(server, encoding=None)[0] == 406, "a client without gzip gets something else than 406")
    h2c = request(server, more="Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n")
    check(h2c[0] != 101, "HTTP/2 is spoken")


def upgrade(server, origin, subprotocol):
    """A socket behind the head of the answer, and its status."""
    stream = server.connect()
    fields = [f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    fields.append("Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode())
    if origin is not None:
        fields.append("Origin: " + origin)
    if subprotocol is not None:
        fields.append("Sec-WebSocket-Protocol: " + subprotocol)
    stream.sendall(("GET / HTTP/1.1\r\n" + "\r\n".join(fields) + "\r\n\r\n").encode())
    return stream, read_head(stream)[0]


def send(stream, payload, opcode=1):
    mask = os.urandom(4)
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size)
    body = payload if size > 1 << 16 else bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
    try:
        stream.sendall(bytes([0x80 | opcode]) + length + (b"\0\0\0\0" if size > 1 << 16 else mask) + body)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the server has closed already: its frame is read next


def exactly(stream, count):
    data = b""
    while len(data) < count:
        piece = stream.recv(count - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def receive(stream):
    """The next frame: its opcode and payload; (0, b"") when the connection ended without one."""
    try:
        first, size = exactly(stream, 2)
        if size == 126:
            size = struct.unpack(">H", exactly(stream, 2))[0]
        elif size == 127:
            size = struct.unpack(">Q", exactly(stream, 8))[0]
        return first & 15, exactly(stream, size)
    except (ConnectionError, OSError):
        return 0, b""


def hear(stream):
    """The next message, or the code with which the server closes."""
    opcode, payload = receive(stream)
    if opcode == 1:
        return json.loads(payload)
    return struct.unpack(">H", payload[:2])[0] if opcode == 8 and len(payload) >= 2 else 0


def say(stream, type_, id_=1, **fields):
    send(stream, json.dumps({"t": type_, "id": id_, **fields}).encode())


def page(server):
    """A connection with the right token."""
    stream, status = upgrade(server, f"http://127.0.0.1:{server.port}", "banyan.1")
    check(status == 101, f"the page is refused: {status}")
    say(stream, "hello", token=server.token)
    check(hear(stream) == {"t": "ok", "id": 1}, "the right token is refused")
    return stream


def matrix(server):
    own = f"http://127.0.0.1:{server.port}"
    origins = {"right": own, "none": None, "evil": "http://evil.example", "prefix": own + ".evil.example", "null": "null"}
    subprotocols = {"right": "banyan.1", "none": None, "wrong": "banyan.2"}
    tokens = {"right": server.token, "wrong": "0" * 32, "none": "", "late": None}
    for origin, subprotocol in itertools.product(origins, subprotocols):
        stream, status = upgrade(server, origins[origin], subprotocols[subprotocol])
        stream.close()
        lives = origin == subprotocol == "right"
        check(status == (101 if lives else 403), f"origin {origin}, subprotocol {subprotocol}: {status}")
    for name, token in tokens.items():
        stream, _ = upgrade(server, own, "banyan.1")
        if token is not None:
            say(stream, "hello", token=token)
        begin = time.monotonic()
        answer = hear(stream)
        check(answer == ({"t": "ok", "id": 1} if name == "right" else 1008), f"token {name}: {answer}")
        check(name != "late" or time.monotonic() - begin > 2, "there is no time for the token")
        stream.close()
    stream, _ = upgrade(server, own, "banyan.1")
    say(stream, "list")
    check(hear(stream) == 1008, "a message before the token is answered")
    stream.close()


def limits(server):
    stream = page(server)
    send(stream, b"x" * (1 << 20))
    check(hear(stream) == 1009, "a message of 1 MiB is not refused by 1009")
    stream.close()
    stream = page(server)
    send(stream, b"{}", opcode=2)
    check(hear(stream) == 1003, "a binary message is not refused by 1003")
    stream.close()
    stream = page(server)
    send(stream, b"garbage")
    check(hear(stream).get("t") == "error", "garbage gets no error")
    say(stream, "list", 2)
    check(len(hear(stream)["games"]) > 20, "there is no list after garbage")
    stream.close()


def crowd(server):
    """16 pages at once, and no more; half-open requests keep nobody out."""
    deadline = time.monotonic() + PATIENCE_S
    pages = []
    while len(pages) < 16 and time.monotonic() < deadline:  # those of the tests before are still closing
        stream, status = upgrade(server, f"http://127.0.0.1:{server.port}", "banyan.1")
        if status == 101:
            say(stream, "hello", token=server.token)
            hear(stream)
            pages.append(stream)
    stream, status = upgrade(server, f"http://127.0.0.1:{server.port}", "banyan.1")
    check(len(pages) == 16 and status == 503, f"the 17th page is answered {status}, after {len(pages)}")
    for one in [*pages, stream]:
        one.close()
    half = [server.connect() for _ in range(200)]
    for one in half:
        one.sendall(b"GET / HT")
    check(request(server)[0] == 200, "200 half-open requests keep others out")
    for one in half:
        one.close()


def listens_on(server):
    """Addresses on which the port is open, as the kernel says it."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    return {row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == server.port}


def main():
    server = Server(sys.argv[1])
    check(listens_on(server) == {"0100007F"}, f"listens on {listens_on(server)}")
    http(server)
    matrix(server)
    limits(server)
    crowd(server)
    code = server.end()
    check(code == 130, f"the exit status after Ctrl-C is {code}")
    print("all right" if not faults else f"{faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
