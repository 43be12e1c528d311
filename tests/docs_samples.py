"""Runs the command blocks of the pages, and compares what they promise.

    tests/docs_samples.py BUILD [--long] [--update] [PAGE...]

A command block is a block of code with a line that begins with `$ ` or with a program of ours.  Where it
has lines that begin with `$ `, the lines behind such a line are the output that the command must have
(`...` stands for any lines); numbers may differ unless the block is marked exact.  A block without `$ `
runs as a script and ends with exit status 0.  Options of commands that stand within a line of text, or
in a block that is not run, are looked up in the command's --help.

A comment right above a block, which readers do not see, says what else to know:

    <!-- test: exact -->            byte for byte; times and rates (2.1 ms, 450 k/s) may differ
    <!-- test: stop 2 -->           stopped by Ctrl-C after 2 seconds, and must end well
    <!-- test: long -->             only with --long; where it has a stop, too, with --long to its end
    <!-- test: before COMMAND -->   this command runs before the block
    <!-- test: installed -->        in a copy of examples/, with the library installed
    <!-- test: file NAME -->        the block is a file, which the page's commands read
    <!-- test: outside WHY -->      cannot run here, or another test runs it
    <!-- test: text -->             no command, though it looks like one

Marks may be joined by `; `.  --update writes the outputs into the pages.  With all pages, the man page is
compared with the --help of every command.
"""
import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

COMMAND = re.compile(r"(\$ |banyan [a-z]+( |$)|build/[a-z]|make\b|tools/[a-z]\S* |cc |cmake |gcc |[A-Z_]+=\S+ [a-z])")
NUMBER = re.compile(r"[+-]?\d[\d,]*(\.\d+)?(e[+-]?\d+)?")
TIMED = re.compile(r"\d+(\.\d+)? ?([kM] ?/s|[mun]?s\b|[mun]s )")
MARK = re.compile(r"<!-- test: (.*) -->$")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Block:
    def __init__(self, page, line, text, indent, marks):
        self.page, self.line, self.text, self.indent = page, line, text, indent
        self.marks = dict((word.split(" ", 1) + [""])[:2] for word in marks)
        self.is_command = "text" not in self.marks and "file" not in self.marks and any(
            COMMAND.match(one) for one in text)

    def where(self):
        return f"{self.page}:{self.line}"

    def is_sample(self):
        return any(one.startswith("$ ") for one in self.text)


def marks_above(lines, at):
    while at > 0 and lines[at - 1] == "":
        at -= 1
    found = MARK.match(lines[at - 1]) if at else None
    return found.group(1).split("; ") if found else []


def blocks_of(page, lines):
    """Fenced and indented blocks of code, with the number of their first line."""
    blocks, at = [], 0
    while at < len(lines):
        begin, end = at, at
        if lines[at].startswith("```"):
            end = at + 1
            while not lines[end].startswith("```"):
                end += 1
            if lines[at][3:] in ("", "sh"):
                blocks.append(Block(page, at + 1, lines[at + 1:end], "", marks_above(lines, at)))
            end += 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip() or MARK.match(lines[at - 1])):
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            text = [one[4:] for one in lines[at:end]]
            blocks.append(Block(page, at, text, "    ", marks_above(lines, at)))
        at = max(end, begin + 1)
    return blocks


class Tester:
    def __init__(self, build, long, update):
        self.long, self.update = long, update
        self.failures, self.counts, self.helps = [], {}, {}
        self.environment = dict(os.environ, PATH=os.path.abspath(build) + ":" + os.environ["PATH"], COLUMNS="80")
        self.build = os.path.abspath(build)
        # In an emulator (tools/emulate) a block that takes too long is stopped, as if its page said so.
        self.emulated = os.path.exists(os.path.join(build, "banyan.elf"))

    def installed(self, folder):
        """A copy of examples/, and the library installed where pkg-config, CMake and the loader find it."""
        place = os.path.join(folder, "installed")
        if not os.path.exists(place):
            subprocess.run(["cmake", "--install", self.build, "--prefix", place], check=True, stdout=subprocess.DEVNULL)
            shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(place, "programs"))
            library = os.path.dirname(glob.glob(place + "/lib/**/libbanyan.so", recursive=True)[0])
            self.environment.update(PKG_CONFIG_PATH=library + "/pkgconfig", CMAKE_PREFIX_PATH=place, LD_LIBRARY_PATH=library)
        return os.path.join(place, "programs")

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def fail(self, where, why):
        self.failures.append(where)
        print(f"{where}: {why}")

    # --- running ---

    def run(self, script, folder, stop=None):
        """Exit status and output; after `stop` seconds Ctrl-C, which is a good end."""
        with subprocess.Popen(["sh", "-ec", script], cwd=folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=stop or (3600 if self.long else 300))
                return process.returncode, out, err
            except subprocess.TimeoutExpired:
                for number in (signal.SIGINT, signal.SIGKILL):
                    os.killpg(process.pid, number)
                    try:
                        out, err = process.communicate(timeout=600 if self.emulated else 60)
                        return 0 if (stop or self.emulated) and number == signal.SIGINT else 1, out, err
                    except subprocess.TimeoutExpired:
                        pass
                return 1, "", "still there after Ctrl-C"

    def compare(self, block, wanted, got):
        """Whether the output is as the page has it; `...` stands for any lines."""
        loosen = (lambda text: TIMED.sub("TIME", text)) if "exact" in block.marks else (
            lambda text: re.sub(r"[ \t]+", " ", NUMBER.sub("N", text)))
        wanted, got = [loosen(one.rstrip()) for one in wanted], [loosen(one.rstrip()) for one in got]
        if "..." not in wanted:
            return wanted == got
        head = wanted.index("...")
        tail = wanted[head + 1:]
        return len(got) >= head + len(tail) and got[:head] == wanted[:head] and got[len(got) - len(tail):] == tail

    def sample(self, block, folder):
        """Runs the commands behind `$ ` and compares; returns the block with the outputs of now."""
        parts = []
        for line in block.text:
            if line.startswith("$ "):
                parts.append((line, []))
            elif parts:
                parts[-1][1].append(line)
        fresh = []
        for command, wanted in parts:
            status, out, err = self.run(command[2:], folder)
            got = out.rstrip("\n").split("\n") if out else []
            if status:
                self.fail(block.where(), f"'{command}' ends with exit status {status}: {err.strip()}")
            elif not self.compare(block, wanted, got) and not self.update:
                self.fail(block.where(), f"'{command}' says something else now:\n" + "\n".join(got))
            if "..." in wanted:
                head = wanted.index("...")
                got = got[:head] + ["..."] + got[len(got) - (len(wanted) - head - 1):]
            fresh += [command] + got
        return fresh

    def script(self, block, folder):
        stop = block.marks.get("stop")
        status, out, err = self.run("\n".join(block.text), folder, float(stop) if stop and not (self.long and "long" in block.marks) else None)
        if status or re.search(r"^banyan\w* ?\w*: (?!stopped |interrupted)", err.replace("\r", "\n"), re.M):
            self.fail(block.where(), f"ends with exit status {status}: {err.strip()[-2000:]}{out.strip()[-500:]}")

    def block(self, block, folder):
        self.count("command blocks")
        if "outside" in block.marks:
            self.count("outside")
            self.options(block.where(), " ".join(re.sub(r"\s#.*", "", one) for one in block.text))
            return
        if "long" in block.marks:
            self.count("long")
            if not self.long and "stop" not in block.marks:
                self.options(block.where(), " ".join(block.text))
                return
        if "installed" in block.marks:
            folder = self.installed(folder)
        if "before" in block.marks:
            self.run(block.marks["before"], folder)
        if block.is_sample():
            block.text = self.sample(block, folder)
        else:
            self.script(block, folder)

    # --- looking up ---

    def help_of(self, command):
        if command not in self.helps:
            _, out, err = self.run(f"banyan {command} --help", ROOT)
            self.helps[command] = out + err
        return self.helps[command]

    def options(self, where, text):
        """Every --option behind `banyan COMMAND` is in the help of that command."""
        try:
            words = shlex.split(text)
        except ValueError:
            words = text.split()
        command = part = None  # `banyan pokemon calc`: the command and its part
        for i, word in enumerate(words):
            if " " in word and "banyan " in word:
                self.options(where, word[word.index("banyan "):])
            elif word in ("banyan", "build/banyan") and i + 1 < len(words) and not words[i + 1][:1].isdigit():
                command = re.sub(r"\W+$", "", words[i + 1])
                part = words[i + 2] if i + 2 < len(words) and words[i + 2].isalpha() else None
                if command.startswith("-") or not command:
                    command = None
                elif "Usage: banyan " + command not in self.help_of(command):
                    self.fail(where, f"there is no command 'banyan {command}'")
                    command = None
            elif command and re.match(r"--[a-z]", word):
                option = re.match(r"--[a-z0-9-]+", word).group(0)
                known = re.escape(option) + r"(?![a-z0-9-])"
                if not re.search(known, self.help_of(command)) and not (
                        part and re.search(known, self.help_of(command + " " + part))):
                    self.fail(where, f"'banyan {command}' has no option {option}")

    def manual(self, page):
        """Every option of a command stands in its section of the man page, in a section that this one names, or
        among the options of searches.  Of --player1, --player2 ... the first is enough."""
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            text = re.sub(r"\\f.|\\(?=[-&])", "", file.read())
        sections = {}
        for title, body in re.findall(r"^\.S[SH] (.*)\n((?:(?!\.S[SH] ).*\n)*)", text, re.M):
            for name in [title] if title.isupper() else re.findall(r"[a-z]+", title.split(" ")[0]):
                sections[name] = sections.get(name, "") + body
        for command in re.findall(r"^  ([a-z]+) ", self.run("banyan --help", ROOT)[1], re.M):
            own = sections.get(command, "") or "".join(body for body in sections.values() if command in body)
            known = own + sections["SEARCH OPTIONS"] + "".join(
                body for name, body in sections.items() if re.search(rf"\b{name}\b", own))
            for option in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", self.help_of(command), re.M):
                option = re.sub(r"player\d", "player1", option)
                if option not in ("help", "usage") and not re.search(rf"--{option}(?![a-z0-9-])", known):
                    self.fail(page, f"'banyan {command}' has an option --{option}, which no section for it names")

    # --- pages ---

    def page(self, page):
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            lines = file.read().split("\n")
        blocks = blocks_of(page, lines)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("examples", "tests", "tools", "weights"):
                os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
            os.symlink(self.build, os.path.join(folder, "build"))
            for block in blocks:
                if "file" in block.marks:
                    with open(os.path.join(folder, block.marks["file"]), "w", encoding="utf-8") as file:
                        file.write("\n".join(block.text) + "\n")
            for block in blocks:
                if block.is_command:
                    before = len(block.text)
                    was = list(block.text)
                    self.block(block, folder)
                    if self.update and block.text != was:
                        lines[block.line:block.line + before] = [block.indent + one for one in block.text]
                        break  # line numbers have moved: the next --update does the rest
        if self.update:
            with open(os.path.join(ROOT, page), "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
        for number, line in enumerate(lines, 1):
            for span in re.findall(r"`((?:build/)?banyan [a-z][^`]*)`", line):
                self.count("commands in a line")
                self.options(f"{page}:{number}", span.replace("\\|", "|"))


def main():
    words = sys.argv[1:]
    long, update = "--long" in words, "--update" in words
    words = [word for word in words if not word.startswith("--")]
    tester = Tester(words[0], long, update)
    for page in words[1:]:
        tester.page(page)
    if len(words) > 10:
        tester.manual("docs/banyan.1")
    print(", ".join(f"{count} {what}" for what, count in tester.counts.items()))
    if len(words) > 10 and tester.counts.get("long", 0) * 10 > tester.counts["command blocks"]:
        tester.fail("the pages", "more than a tenth of the command blocks are marked long")
    if len(words) > 10 and tester.counts["command blocks"] < 25:
        tester.fail("the pages", "command blocks are not found any more")
    return 1 if tester.failures else 0


sys.exit(main())
