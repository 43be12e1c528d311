#!/usr/bin/env python3
"""Measures the Python package, and OpenSpiel's wheel and PettingZoo's own games beside it where they do the same work.

    tools/results/python.py [--quick] [--suite] [LINE...]

LINE is a line of the table that it prints; default: all.  --suite runs the tests of goals without a figure (install,
memory, misuse, modules for other packages).  Times are processor time, the median of five; --quick does a tenth of the
work.  Needs the package banyan and numpy; open_spiel, pettingzoo and gymnasium to compare; and an idle machine.
"""

import argparse
import importlib.util
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import threading
import time

import banyan
import numpy

ROOT = pathlib.Path(__file__).parents[2]
SHARE = [1.0]  # share of the usual work that is done
ROWS = []


def have(package):
    return importlib.util.find_spec(package) is not None


def row(line, what, value, wanted, unit="", beside=""):
    ROWS.append((line, what, value, wanted, unit, beside))
    shown = f"{value:,.3g}" if isinstance(value, float) and value < 1000 else f"{value:,.0f}"
    print(f"| {line} | {what} | {shown} {unit} | {wanted} | {beside} |", flush=True)


def median(fn, times=5):
    return statistics.median(fn() for _ in range(times))


def cost(call, setup, count=200_000):
    """Nanoseconds of one call, without the time of the loop around it."""
    count = int(count * SHARE[0])
    source = f"def run(count):\n    {setup}\n    for _ in range(count):\n        {call}\n"

    def seconds(text):
        names = {"banyan": banyan}
        exec(text, globals() | names, names)
        begin = time.process_time()
        names["run"](count)
        return time.process_time() - begin

    empty = source.replace(f"        {call}\n", "        pass\n")
    return median(lambda: 1e9 * (seconds(source) - seconds(empty)) / count)


# --- the lines ---


def line_1():
    """The time of the import, without the start of Python."""
    words = [sys.executable, "-S", "-c"]
    path = str(pathlib.Path(banyan.__file__).parents[1])

    def run(source):
        begin = sum(os.times()[2:4])  # of children that have ended
        subprocess.run([*words, f"import sys; sys.path.append({path!r}); {source}"], check=True)
        return sum(os.times()[2:4]) - begin

    spent = median(lambda: run("import banyan")) - median(lambda: run(""))
    row(1, "import banyan", 1000 * spent, "<= 30", "ms")
    for wheel in (ROOT / "dist").glob("banyan_mcts-*.whl"):
        row(1, "the wheel", wheel.stat().st_size / 2**20, "<= 3", "MiB")


def spiel(call, setup="s = pyspiel.load_game('tic_tac_toe').new_initial_state()"):
    if not have("pyspiel"):
        return ""
    return f"OpenSpiel {cost(call, 'import pyspiel; ' + setup):.0f}"


def line_3():
    ours = "s = banyan.game('tictactoe').new()"
    row(3, "movers", cost("s.movers", ours), "<= 25", "ns", spiel("s.current_player()"))
    row(3, "clone", cost("s.clone()", ours), "<= 60", "ns", spiel("s.clone()"))
    row(3, "legal, a list of 9", cost("s.legal()", ours), "<= 90", "ns", spiel("s.legal_actions()"))
    both = cost("t = c(); t.apply(4)", ours + "; c = s.clone") - cost("t = c()", ours + "; c = s.clone")
    theirs = ""
    if have("pyspiel"):
        game = "import pyspiel; s = pyspiel.load_game('tic_tac_toe').new_initial_state()"
        theirs = cost("t = s.clone(); t.apply_action(4)", game) - cost("t = s.clone()", game)
        theirs = f"OpenSpiel {theirs:.0f}"
    row(3, "apply", both, "<= 60", "ns", theirs)


def random_play(name, games):
    draw, steps = random.Random(1).random, 0
    new = banyan.game(name).new
    begin = time.process_time()
    for _ in range(games):
        s = new()
        while not s.over:
            a = s.legal()
            s.apply(a[int(draw() * len(a))])
            steps += 1
    return steps / (time.process_time() - begin)


def random_spiel(name, games):
    import pyspiel

    draw, steps = random.Random(1).random, 0
    new = pyspiel.load_game(name).new_initial_state
    begin = time.process_time()
    for _ in range(games):
        s = new()
        while not s.is_terminal():
            a = s.legal_actions()
            s.apply_action(a[int(draw() * len(a))])
            steps += 1
    return steps / (time.process_time() - begin)


def line_4():
    for name, theirs, games, wanted in (
        ("tictactoe", "tic_tac_toe", 20000, ">= 3 M"),
        ("othello", "othello", 2000, ">= 2.5 M"),
    ):
        count = max(1, int(games * SHARE[0]))
        beside = ""
        if have("pyspiel"):
            beside = f"OpenSpiel {median(lambda: random_spiel(theirs, count // 5 + 1)) / 1e6:.2f}"
        row(4, f"random play, {name}", median(lambda: random_play(name, count)) / 1e6, wanted, "M steps/s", beside)


def env_steps(name, number, seconds):
    env = banyan.Env(name, number, seed=1)
    masks = numpy.asarray(env.masks)[:, 0]
    draw = numpy.random.default_rng(1)
    noise = [draw.random(masks.shape, numpy.float32) for _ in range(16)]
    steps, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        for values in noise:
            env.step((masks * values).argmax(1))
            steps += number
    return steps / (time.process_time() - begin)


def zoo_steps(env, games):
    steps, begin = 0, time.process_time()
    draw = numpy.random.default_rng(1)
    for seed in range(games):
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, over, cut, info = env.last()
            mask = observation["action_mask"]
            env.step(None if over or cut else int(draw.choice(numpy.flatnonzero(mask))))
            steps += 1
    return steps / (time.process_time() - begin)


def line_5():
    for name, number, wanted in (
        ("othello", 64, ">= 1.5"), ("othello", 1024, ">= 2"), ("tictactoe", 1024, ">= 10"), ("tictactoe", 1, ">= 0.3"),
    ):  # fmt: skip
        rate = median(lambda: env_steps(name, number, 0.5 * SHARE[0])) / 1e6
        row(5, f"Env, {name}, {number} games", rate, wanted, "M steps/s")
    if not have("pettingzoo"):
        return
    import banyan.zoo
    import pettingzoo

    count = max(2, int(200 * SHARE[0]))
    ours = median(lambda: zoo_steps(pettingzoo.make("aec", "banyan/tictactoe-v0"), count))
    beside = ""
    if have("pygame"):
        from pettingzoo.classic.tictactoe.tictactoe import env as theirs

        beside = f"PettingZoo's own {median(lambda: zoo_steps(theirs(), count)):,.0f}"
    row(5, "PettingZoo's loop, tictactoe", ours, "", "steps/s", beside)


def line_6():
    env = banyan.Env("othello", 8, seed=1)
    before = numpy.asarray(env.observations)
    env.step(numpy.asarray(env.masks)[:, 0].argmax(1))
    shared = numpy.shares_memory(before, numpy.asarray(env.observations))
    row(6, "steps share their arrays", int(shared), "1", "", f"dlpack device {before.__dlpack_device__()}")


def line_7():
    games, each = 100, 8
    searches = [banyan.Search("othello", banyan.Evaluator(), batch=each, seed=i, memory="8M") for i in range(games)]
    for search in searches:
        search.set_root(banyan.game("othello").new())
    zeros, leaves, asked, fetch = [0.0] * each, 0, 0, 0.0
    begin = time.process_time()
    for _ in range(max(5, int(60 * SHARE[0]))):
        batches = [search.select(each) for search in searches]
        leaves += sum(map(len, batches))
        asked += games * each
        start = time.process_time()
        for batch in batches:
            if len(batch):
                batch.observations()
        fetch += time.process_time() - start
        for search, batch in zip(searches, batches):
            search.update(batch, zeros[: len(batch)])
    spent = time.process_time() - begin
    row(7, "ask and tell, 100 games of 8 leaves, all", 1e6 * spent / leaves, "<= 2.7", "us a leaf")
    row(7, "... of it the observations", 1e6 * fetch / leaves, "", "us a leaf")
    row(7, "... mean batch", 100 * leaves / asked, ">= 95", "%")


def line_8():
    for batch, wanted in ((1, "<= 2"), (64, "<= 0.5")):
        zeros = [0.0] * batch

        def spent():
            search = banyan.Search("othello", lambda leaves: zeros[: len(leaves)], batch=batch, seed=1)
            search.set_root(banyan.game("othello").new())
            count = int(100_000 * SHARE[0])
            begin = time.process_time()
            done = search.run(simulations=count).simulations
            return 1e6 * (time.process_time() - begin) / done

        row(8, f"constant evaluator, batch {batch}", median(spent), wanted, "us a simulation")


def counting(seconds, stop):
    count, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end and not stop.is_set():
        for _ in range(1000):
            count += 1
    return count / seconds


def line_9():
    def make(seed):
        search = banyan.Search("othello", seed=seed)
        search.set_root(banyan.game("othello").new())
        return search

    seconds, stop = max(0.3, 2 * SHARE[0]), threading.Event()
    alone = counting(seconds, stop)
    search = make(1)
    worker = threading.Thread(target=lambda: search.run(seconds=seconds))
    worker.start()
    together = counting(seconds, stop)
    worker.join()
    row(9, "a thread that counts beside run()", 100 * together / alone, ">= 80", "%")
    one = make(2).run(seconds=seconds).simulations
    pair, done = [make(3), make(4)], []
    workers = [threading.Thread(target=lambda s=s: done.append(s.run(seconds=seconds).simulations)) for s in pair]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join()
    row(9, "two searches in two threads", sum(done) / one, ">= 1.8", "times one")
    main = threading.main_thread().ident
    hit = []

    def interrupt():
        hit.append(time.perf_counter())
        signal.pthread_kill(main, signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        make(5).run(seconds=20)
    except KeyboardInterrupt:
        row(9, "Ctrl-C ends a run", 1000 * (time.perf_counter() - hit[0]), "<= 100", "ms")


SUITE = {
    2: ("every CPython here, the installed wheel", ["tools/try_wheel"]),
    10: ("Gymnasium: check_env, three autoreset modes", ["pytest", "python/tests/test_gym.py"]),
    11: ("PettingZoo: api_test, seed_test, parallel_api_test", ["pytest", "python/tests/test_zoo.py"]),
    12: ("the tree of the C library", ["pytest", "python/tests/test_search.py"]),
    13: ("memory", ["pytest", "python/tests/test_memory.py"]),
    14: ("misuse", ["pytest", "python/tests/test_misuse.py"]),
    15: (
        "bridges, notebooks",
        ["pytest", "python/tests/test_botbowl.py", "python/tests/test_poke_env.py", "python/tests/test_notebooks.py"],
    ),
}


def run_suite(line):
    what, words = SUITE[line]
    if words[0] == "pytest":
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    row(line, what, done.returncode, "0", "", last)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines", nargs="*", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--suite", action="store_true")
    options = parser.parse_args()
    SHARE[0] = 0.1 if options.quick else 1.0
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("| line | what | measured | wanted | beside |\n|---|---|---|---|---|")
    for line in range(1, 16):
        if options.lines and line not in options.lines:
            continue
        if f"line_{line}" in globals():
            globals()[f"line_{line}"]()
        elif options.suite:
            run_suite(line)


if __name__ == "__main__":
    main()
