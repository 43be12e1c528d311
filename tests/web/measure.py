"""What the page costs: half-open requests, readers that do not read, and searches that are watched.

    python3 tests/web/measure.py BANYAN [SECONDS [PAIRS [SIMULATIONS]]]

Prints each figure with its bound (web.md, "Who can reach it"; the bounds hold on an idle machine); exit status 1 if one is
not kept.  SECONDS: how long pages do not read, default 60.  PAIRS of searches with and without a page, default 10.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time

from security import Server, hear, page, request, say

OPTIONS = "memory=64M,seed=1"
faults = 0


def report(what, value, bound, kept):
    global faults
    faults += not kept
    print(f"{'ok     ' if kept else 'MISSED '} {what}: {value} (bound: {bound})", flush=True)


def half_open(server):
    half = [server.connect() for _ in range(200)]
    for one in half:
        one.sendall(b"GET / HT")
    begin = time.monotonic()
    status = request(server)[0]
    spent = time.monotonic() - begin
    for one in half:
        one.close()
    report("GET beside 200 half-open requests", f"{status} after {spent:.3f} s", "200 within 1 s", status == 200 and spent < 1)


def rss_kb(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as lines:
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def cpu_s(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as line:
        fields = line.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(stream, simulations, options=OPTIONS):
    """Opens a search with the largest view, and starts it; its answers wait to be read."""
    say(stream, "open", 2, game="othello", options=options)
    say(stream, "view", 3, depth=500, budget=5000)
    say(stream, "run", 4, simulations=simulations)


def drain(stream, seen, ends):
    while time.monotonic() < ends:
        message = hear(stream)
        if not isinstance(message, dict):
            return
        seen.append(message["t"])


def slow_readers(server, seconds):
    """15 pages never read, one reads; all watch a search.  More are not let in."""
    streams = [page(server) for _ in range(16)]
    for stream in streams:
        watch(stream, 10**12, "memory=1M,seed=1")
    seen = []
    warm = time.monotonic() + 10  # the arenas of the searches fill
    drain(streams[0], [], warm)
    before = rss_kb(server)
    drain(streams[0], seen, warm + seconds)
    grown = rss_kb(server) - before
    for stream in streams:
        stream.close()
    report(f"memory beside 15 pages that do not read, {seconds} s", f"{grown} kB more", "less than 1024 kB", grown < 1024)
    report("messages to the page that reads", f"{len(seen) / seconds:.1f}/s", "10/s", len(seen) >= 10 * seconds)


def last_root(stream):
    while True:
        message = hear(stream)
        if message.get("t") == "root" and not message["running"] and message["simulations"]:
            return message


def table(root):
    return [(move["action"], move["visits"], round(move["mean"] or 0, 9)) for move in root["root"]]


def watched(server, simulations):
    """Simulations per second of processor time with a page that reads all, and the table."""
    stream = page(server)
    begin = cpu_s(server)
    watch(stream, simulations)
    root = last_root(stream)
    spent = cpu_s(server) - begin
    stream.close()
    return simulations / spent, table(root)


def alone(program, simulations):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [f"--{word}" for word in OPTIONS.split(",")]
    text = subprocess.run([program, "search", "othello", "-n", str(simulations), "--json", *words], check=True, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return simulations / spent, table(json.loads(text))


def cost(server, program, pairs, simulations):
    ratios = []
    for _ in range(pairs):
        (with_page, shown), (without, printed) = watched(server, simulations), alone(program, simulations)
        ratios.append(with_page / without)
        if shown != printed:
            report("the table of the page", "another one than that of banyan search", "the same", False)
    lost = 100 * (1 - statistics.median(ratios))
    report(f"a search of {simulations} simulations with a page costs", f"{lost:.1f} % ({pairs} pairs, median)", "3 %", lost <= 3)


def main():
    program = sys.argv[1]
    seconds, pairs, simulations = (int(word) for word in (sys.argv[2:] + ["60", "10", "2000000"][len(sys.argv) - 2 :])[:3])
    server = Server(program)
    guard = threading.Timer(3600, server.process.kill)
    guard.start()
    half_open(server)
    cost(server, program, pairs, simulations)
    slow_readers(server, seconds)
    guard.cancel()
    server.end()
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
