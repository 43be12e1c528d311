"""The defects of tools/mutants: reads C as tokens, and changes one line by a rule."""
import collections
import os
import re

RULES = ("operator", "bound", "constant", "sign", "deletion", "swap")

# --- reading C: tokens, and the function that each line belongs to ---

TOKEN = re.compile(r"""(?P<space>\s+|/\*.*?\*/|//[^\n]*|(?:^|(?<=\n))[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
    |(?P<string>"(?:[^"\\\n]|\\.)*") |(?P<char>'(?:[^'\\\n]|\\.)+')
    |(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<mark><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|.)""", re.S | re.X)
Token = collections.namedtuple("Token", "kind text line column where")
TYPES = set("void char short int long float double signed unsigned bool const static struct enum union "
            "size_t ssize_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t "
            "extern inline typedef volatile register _Atomic FILE".split())
WORDS = TYPES | set("if else for while do switch case default return break continue goto sizeof".split())


def tokens_of(text):
    """Tokens without comments and preprocessor lines.  where: the function that a token is in; the
    variable whose initializer it is in; '' for declarations."""
    tokens, depth, parens, where, name, variable, line, start = [], 0, 0, "", "", "", 1, 0
    for match in TOKEN.finditer(text):
        word, kind = match.group(), match.lastgroup
        if kind != "space":
            previous = tokens[-1].text if tokens else ""
            if depth == 0 and parens == 0:
                if word == "(" and tokens and tokens[-1].kind == "name":
                    name = previous
                elif word in ("=", "[") and tokens and tokens[-1].kind == "name":
                    variable = previous
                elif word == "{":
                    where = name if previous == ")" else variable if previous == "=" else ""
                elif word == ";":
                    where = ""
            tokens.append(Token(kind, word, line, match.start() - start, where if depth else ""))
            depth += {"{": 1, "}": -1}.get(word, 0)
            parens += {"(": 1, ")": -1}.get(word, 0)
        if "\n" in word:
            line += word.count("\n")
            start = match.start() + word.rindex("\n") + 1
    return tokens


def is_operand(token):
    """Whether a token can end an operand, so that the operator after it has two."""
    return (token.kind in ("number", "string", "char") or token.text in (")", "]") or
            token.kind == "name" and token.text not in WORDS)


def closing(tokens, i):
    """Index of the bracket on the same line that closes tokens[i]; -1: there is none."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].line != tokens[i].line:
            return -1
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[j].text, 0)
        if depth == 0:
            return j
    return -1


# --- the rules: each yields (column, end, replacement) of changes to the line of a token ---

OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&&": "||", "||": "&&", "&": "|", "|": "&",
             "^": "&", "<<": ">>", ">>": "<<", "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=",
             ">=": "<", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "^=": "|=",
             "<<=": ">>=", ">>=": "<<=", "++": "--", "--": "++"}
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def rule_operator(tokens, i):
    token = tokens[i]
    if token.text in OPERATORS and token.kind == "mark":
        if token.text in ("+", "-", "*", "&") and not is_operand(tokens[i - 1]):
            return
        yield token.column, token.column + len(token.text), OPERATORS[token.text]
    elif token.text in ("if", "while") and tokens[i + 1].text == "(":
        end = closing(tokens, i + 1)
        if end > 0:
            yield tokens[i + 1].column, tokens[i + 1].column + 1, "(!("
            yield tokens[end].column, tokens[end].column + 1, "))"  # one defect together with the change before


def rule_bound(tokens, i):
    token = tokens[i]
    if token.text in BOUNDS:
        yield token.column, token.column + len(token.text), BOUNDS[token.text]


def rule_constant(tokens, i):
    token = tokens[i]
    end = token.column + len(token.text)
    if token.kind == "char" and re.fullmatch(r"'[\w .,:;|/+-]'", token.text):
        yield token.column, end, "'%s'" % chr(ord(token.text[1]) ^ 1)
    if token.kind != "number" or is_declared_size(tokens, i):
        return
    body = token.text.rstrip("uUlL" if token.text[:2].lower() == "0x" else "uUlLfF")
    suffix = token.text[len(body):]
    if body[:2].lower() == "0x":
        yield token.column, end, hex(int(body, 16) ^ 1) + suffix
    elif re.fullmatch(r"\d+", body):
        value = int(body, 8 if len(body) > 1 and body[0] == "0" else 10)
        yield token.column, end, str(value + 1) + suffix
        if value > 0:
            yield token.column, end, str(value - 1) + suffix
    else:
        value = float(body)
        yield token.column, end, (repr(value * 2) if value else "1.0") + suffix
        if value:
            yield token.column, end, repr(value / 2) + suffix


def is_declared_size(tokens, i):
    """Whether the token is in the size of a local array: a larger array has no effect."""
    return (tokens[i - 1].text == "[" and tokens[i - 2].kind == "name" and
            (tokens[i - 3].kind == "name" or tokens[i - 3].text in ("*", ",")))


def rule_sign(tokens, i):
    token = tokens[i]
    if token.text in ("-", "!", "~") and not is_operand(tokens[i - 1]):
        yield token.column, token.column + 1, ""
    if token.text == "return" and tokens[i + 1].text not in ("-", "!", "~", ";"):
        for j in range(i + 1, len(tokens)):
            if tokens[j].line != token.line:
                return
            if tokens[j].text == ";":
                yield tokens[i + 1].column, tokens[i + 1].column, "-("
                yield tokens[j].column, tokens[j].column, ")"
                return


def rule_deletion(tokens, i):
    """A statement that fills its line."""
    token, previous = tokens[i], tokens[i - 1]
    if token.line == previous.line or token.text in TYPES or token.text in ("{", "}", ";", "case", "else"):
        return
    if previous.text not in (";", "{", "}", ")", "else", ":"):
        return
    last = i
    while last + 1 < len(tokens) and tokens[last + 1].line == token.line:
        last += 1
    if tokens[last].text == ";" and token.text not in ("if", "for", "while", "do", "default", "switch"):
        if token.kind == "name" and tokens[i + 1].kind == "name" and token.text not in WORDS:
            return  # a declaration
        yield token.column, tokens[last].column, ""


def rule_swap(tokens, i):
    """Neighbouring arguments of a call."""
    token = tokens[i]
    if token.kind != "name" or token.text in WORDS or tokens[i + 1].text != "(":
        return
    end = closing(tokens, i + 1)
    if end < 0 or tokens[i - 1].kind == "name" and tokens[i - 1].text not in WORDS - TYPES:
        return
    commas, depth = [i + 1], 0
    for j in range(i + 1, end + 1):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[j].text, 0)
        if depth == 1 and tokens[j].text == ",":
            commas.append(j)
    commas.append(end)
    for a, b, c in zip(commas, commas[1:], commas[2:]):
        yield (tokens[a].column + 1, tokens[c].column, (tokens[b].column, tokens[a].column + 1))


CHANGES = {"operator": rule_operator, "bound": rule_bound, "constant": rule_constant, "sign": rule_sign,
           "deletion": rule_deletion, "swap": rule_swap}


def apply_changes(line, changes):
    for column, end, text in sorted(changes, key=lambda change: -change[0]):
        if isinstance(text, tuple):
            comma, start = text
            first, second = line[start:comma], line[comma + 1:end]
            text = first[:len(first) - len(first.lstrip())] + second.strip() + ", " + first.strip()
        line = line[:column] + text + line[end:]
    return line


Mutant = collections.namedtuple("Mutant", "rule path function before after nth line")


def key_of(mutant):
    return mutant[:6]


def mutants_of(root, path):
    """All defects that the rules can put into a file."""
    with open(os.path.join(root, path)) as file:
        text = file.read()
    lines, tokens, seen = text.split("\n"), tokens_of(text), collections.Counter()
    for i, token in enumerate(tokens[:-1]):
        if not token.where or i < 3:
            continue
        for rule in RULES:
            changes = list(CHANGES[rule](tokens, i))
            joined = [changes] if rule in ("sign", "operator") else [[change] for change in changes]
            for change in filter(None, joined):
                line = lines[token.line - 1]
                before, after = line.strip(), apply_changes(line, change).strip()
                nth = seen[rule, token.where, before, after] = seen[rule, token.where, before, after] + 1
                if before != after:
                    yield Mutant(rule, path, token.where, before, after, str(nth), token.line)
