"""The tests that tools/mutants runs: how long each takes, which lines it runs, when a failure counts."""
import fnmatch
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from mutation.rules import tokens_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build-mutants")
COVERAGE = os.path.join(BUILD, "coverage")
LIMIT_S = 4          # processor time of a test; more where the test itself needs more
LINK_S = 0.3         # about the time to link a test
SANITIZED_LIMIT_S = 60  # processor time of a test if one file is compiled with sanitizers
TOO_SLOW_S = 60      # tests that need more than this are not run
MEMORY_KIB = 6 << 20
FILE_BLOCKS = 1 << 20

# Tests whose failure is no kill.  "test:case" leaves out one case of a program.
LEFT_OUT = {
    "portable": "prints what the program computes, to be compared between compilers",
    "test_cli_games:test_signature": "compares the program's signature with itself",
    "test_install": "installs the program and starts it; no answer is looked at",
    "test_layers": "looks at #include lines only",
    "test_symbols": "looks at symbol names only",
    "test_mushroom_onefile": "compares one build of the player with another build of it",
    "test_pytorch": "needs PyTorch from the network",
    "test_showdown_real": "needs a server of its own; its games depend on the machine's speed",
}

# --- running programs within limits ---

RUNNING = set()  # process groups, which are killed when the tool is stopped


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def stop_all(*_):
    for group in list(RUNNING):
        kill_group(group)
    os._exit(130)


def wait(process, wall_s, output, stop_at):
    """The exit code; None: it took too long; 1: the output contains stop_at, so the process was stopped."""
    end, pause_s = time.monotonic() + wall_s, 0.05
    while time.monotonic() < end:
        try:
            return process.wait(pause_s)
        except subprocess.TimeoutExpired:
            pause_s = min(2 * pause_s, 2)
        if stop_at:
            with open(output, "rb") as file:
                if stop_at in file.read():
                    return 1
    return None


def run_limited(words, folder, output, limit_s, environment=None, memory_kib=MEMORY_KIB, stop_at=None):
    """(exit code, or None if it took too long; seconds of processor time); kills processes that the program leaves."""
    wall_s = 3 * limit_s * max(1, os.getloadavg()[0] / os.cpu_count())
    limits = (limit_s + 5, limit_s + 1, memory_kib, FILE_BLOCKS)
    shell = 'ulimit -H -t %d; ulimit -S -t %d; ulimit -v %s; ulimit -f %d; exec "$@"' % limits
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(output, "wb") as file:
        process = subprocess.Popen(["sh", "-c", shell, "sh"] + words, cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=file, stderr=file, start_new_session=True,
                                   env=dict(os.environ, **(environment or {})))
        RUNNING.add(process.pid)
        code = wait(process, wall_s, output, stop_at)
    kill_group(process.pid)
    process.wait()
    RUNNING.discard(process.pid)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        code = None
    return code, end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


def configure(folder, *settings):
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *settings], check=True,
                       stdout=subprocess.DEVNULL)


def build(folder, targets):
    done = subprocess.run(["ninja", "-C", folder, "--quiet", *targets], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stdout + "mutants: the build in %s failed" % folder)


# --- the tests: what they run, how long they take ---

def text_of_test(path, seen):
    """The test's source and the headers of tests/ that it includes, with their .c files."""
    if path in seen or not os.path.exists(path):
        return b""
    seen.add(path)
    with open(path, "rb") as file:
        text = file.read()
    for name in re.findall(rb'#include "([^"]+)\.h"', text):
        for end in (".h", ".c"):
            text += text_of_test(os.path.join(ROOT, "tests", name.decode() + end), seen)
    return text


class Test:
    def __init__(self, entry):
        self.name, self.command = entry["name"], entry["command"]
        properties = {p["name"]: p["value"] for p in entry["properties"]}
        self.folder = properties.get("WORKING_DIRECTORY", BUILD)
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        self.slow = "slow" in properties.get("LABELS", [])
        program = os.path.basename(self.command[0])
        script = [word for word in self.command[1:] if word.endswith(".sh")]
        kind = "fuzz" if program.startswith("fuzz_") else "tests"
        source = script[0] if script else os.path.join(ROOT, kind, program + ".c")
        self.program = None if script else program
        self.hash = hashlib.sha1(text_of_test(source, set()) + repr(self.environment).encode()).hexdigest()
        self.sound = None  # whether it passes without a defect; None: not tried in this run

    def words(self, folder):
        return [word.replace(BUILD, folder) for word in self.command]

    def measure(self):
        """Time without a defect, and the lines that it runs; kept in a file."""
        path = os.path.join(BUILD, "lines", self.name + ".json")
        if os.path.exists(path):
            with open(path) as file:
                self.measured = json.load(file)
            known = all(os.path.exists(os.path.join(ROOT, name)) for name in self.measured["lines"])
            if self.measured["hash"] == self.hash and known:
                return
        output = os.path.join(BUILD, "lines", self.name + ".out")
        code, seconds = run_limited(self.words(BUILD), self.folder, output, 2 * TOO_SLOW_S, self.environment)
        self.measured = {"hash": self.hash, "code": code, "seconds": seconds, "lines": {}}
        if code == 0 and seconds <= TOO_SLOW_S:
            self.measured["lines"] = self.cover(output)
        print("%-28s %6.1f s  %s" % (self.name, seconds, "" if code == 0 else "fails without a defect"),
              flush=True)
        with open(path, "w") as file:
            json.dump(self.measured, file)

    def cover(self, output):
        counts = os.path.join(BUILD, "lines", self.name)
        shutil.rmtree(counts, ignore_errors=True)
        run_limited(self.words(COVERAGE), self.folder, output, 20 * TOO_SLOW_S,
                    dict(self.environment, GCOV_PREFIX=counts))
        files = []
        for folder, _, names in os.walk(counts):
            for name in names:
                path = os.path.join(folder, name)
                notes = path[len(counts):-4] + "gcno"
                if name.endswith(".gcda") and "/src/" in path and os.path.exists(notes):
                    os.symlink(notes, path[:-4] + "gcno")
                    files.append(path)
        lines = {}
        if files:
            gcov = subprocess.run(["gcov", "--json-format", "--stdout"] + files, cwd=counts, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for report in gcov.stdout.splitlines():
                read_gcov(json.loads(report), lines)
        shutil.rmtree(counts, ignore_errors=True)
        return lines

    def runs(self, mutant):
        """Whether the test runs the line; where gcov does not know the line, its function or file."""
        functions = self.measured["lines"].get(mutant.path)
        if not functions:
            return False
        known = functions.get(mutant.function)
        if known is None:
            return True
        return mutant.before in known["ran"] or mutant.before not in known["not"] and bool(known["ran"])


def read_gcov(report, lines):
    """Adds {path: {function: {"ran": [text], "not": [text]}}} for files of src/ that were run."""
    for entry in report["files"]:
        path = os.path.relpath(os.path.join(report["current_working_directory"], entry["file"]), ROOT)
        if not path.startswith("src/") or not path.endswith(".c"):
            continue
        if not any(line["count"] for line in entry["lines"]):
            continue
        with open(os.path.join(ROOT, path)) as file:
            text = file.read()
        texts, functions = text.split("\n"), {t.line: t.where for t in reversed(tokens_of(text)) if t.where}
        for line in entry["lines"]:
            number = line["line_number"]
            if number > len(texts):
                sys.exit("mutants: %s was changed while it was measured: begin again" % path)
            known = lines.setdefault(path, {}).setdefault(functions.get(number, ""), {"ran": [], "not": []})
            known["ran" if line["count"] else "not"].append(texts[number - 1].strip())


def list_tests(only):
    """ctest's descriptions of the tests whose names match one of the patterns; no patterns: of all tests."""
    found = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True, text=True,
                           stdout=subprocess.PIPE)
    entries = json.loads(found.stdout)["tests"]
    for pattern in only:
        if not fnmatch.filter((entry["name"] for entry in entries), pattern):
            sys.exit("mutants: there is no test '%s'" % pattern)
    return [entry for entry in entries if not only or
            any(fnmatch.fnmatchcase(entry["name"], pattern) for pattern in only)]


def targets_of(only):
    """The targets to build for these tests: all for scripts; for programs only these and `banyan`."""
    entries = list_tests(only)
    if not only or any("sh" == os.path.basename(entry.get("command", [""])[0]) for entry in entries):
        return []
    return sorted({entry["name"].split("@")[0] for entry in entries} | {"banyan"})


def find_tests(only):
    tests = [Test(entry) for entry in list_tests(only)]
    tests = [test for test in tests if not test.slow and test.name not in LEFT_OUT]
    os.makedirs(os.path.join(BUILD, "lines"), exist_ok=True)
    for test in tests:
        test.measure()
    return [test for test in tests if test.measured["lines"]]


def left_out_of(test):
    return {name.split(":")[1] for name in LEFT_OUT if name.startswith(test.name + ":")}


def is_kill(test, code, output):
    """Whether a failure of the test counts: a case failed that is not in the list of excluded ones."""
    left_out = left_out_of(test)
    if code == 77 and test.program is None:
        return False  # skipped
    if not left_out:
        return True
    with open(output, errors="replace") as file:
        failed = set(re.findall(r"^\[  FAILED  \] (?:[\w ]+: )?(\w+)$", file.read(), re.M))
    return not failed or bool(failed - left_out)
