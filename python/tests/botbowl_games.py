"""Games of botbowl for tests: their decisions as JSON and back, their legal actions, and their dice.

    BANYAN_BOTBOWL=CHECKOUT python python/tests/botbowl_games.py tests/data/botbowl/decisions.jsonl.gz

writes decisions of random games, some of each kind.  A record holds only the attributes that the bridge has read.
"""

import collections
import gzip
import json
import os
import random
import sys

from banyan.bridges import _bloodbowl as bridge

if os.environ.get("BANYAN_BOTBOWL"):
    sys.path.insert(0, os.environ["BANYAN_BOTBOWL"])

PLAIN = (str, int, float, bool, type(None))
TEAMS = (
    "amazon chaos-dwarf chaos dark-elf elven-union high-elf human lizardmen orc skaven undead vampire wood-elf".split()
)


# --- a game as JSON: objects by number, with the attributes that were read ---


class Writer:
    """Makes stand-ins of objects, and records which of their attributes are read."""

    def __init__(self):
        self.rows, self.numbers, self.kept, self.kinds = [], {}, [], {}

    def see(self, value):
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, (list, tuple, set)):
            return [self.see(one) for one in value]
        if isinstance(value, dict):
            return {key: self.see(one) for key, one in value.items()}
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.rows)
            self.rows.append({"class": type(value).__name__})
            self.kept.append(self.stand_in(value))
        return self.kept[self.numbers[id(value)]]

    def stand_in(self, value):
        kind = type(value).__name__
        if kind not in self.kinds:
            self.kinds[kind] = type(kind, (), {"__getattr__": lambda stand_in, name: self.read(stand_in, name)})
        stand_in = self.kinds[kind]()
        stand_in.__dict__["_real"] = value
        return stand_in

    def read(self, stand_in, name):
        value = getattr(stand_in._real, name)
        if callable(value):
            return lambda: self.called(stand_in, name, value())
        seen = self.see(value)
        self.rows[self.numbers[id(stand_in._real)]][name] = self.flat(value)
        return seen

    def called(self, stand_in, name, value):
        seen = self.see(value)
        self.rows[self.numbers[id(stand_in._real)]][f"{name}()"] = self.flat(value)
        return seen

    def flat(self, value):
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, (list, tuple, set)):
            return ["list", *map(self.flat, value)]
        if isinstance(value, dict):
            return ["dict", {key: self.flat(one) for key, one in value.items()}]
        self.see(value)
        return ["object", self.numbers[id(value)]]


def write(game):
    """The attributes that make the game's position, as JSON."""
    writer = Writer()
    stand_in = writer.see(game)
    legal(stand_in, bridge.state(stand_in))
    return writer.rows


def read(rows):
    """A stand-in of the game."""
    objects = [type(row["class"], (), {})() for row in rows]

    def whole(value):
        if not isinstance(value, list):
            return value
        if value[0] == "dict":
            return {key: whole(one) for key, one in value[1].items()}
        return objects[value[1]] if value[0] == "object" else [whole(one) for one in value[1:]]

    for thing, row in zip(objects, rows):
        for name, value in row.items():
            value = whole(value)
            if name.endswith("()"):
                setattr(thing, name[:-2], lambda value=value: value)
            elif name != "class":
                setattr(thing, name, value)
    return objects[0]


# --- what is offered ---


def place(at):
    return None if at is None else [int(at.x), int(at.y)]


def offered(game):
    """The actions that botbowl offers, sorted, as [kind, player, square], without those that change nothing."""
    table, out = bridge.Table(game), []
    for choice in game.state.available_actions:
        kind = choice.action_type.name
        if choice.disabled:
            continue
        if kind == "DONT_USE_REROLL" and type(game.state.stack.items[-1]).__name__ == "Apothecary":
            kind = "SELECT_SECOND_ROLL"  # in botbowl these two have the same number
        if kind == "PLACE_PLAYER":
            pairs = [(who, at) for who in choice.players for at in choice.positions]
            out += [[kind, table.name(who), place(at)] for who, at in pairs if place(at) != place(who.position)]
        elif choice.positions:
            out += [[kind, None, place(at)] for at in choice.positions]
        elif choice.players and not kind.endswith("USE_SKILL"):
            out += [[kind, table.name(who), None] for who in choice.players]
        else:
            out.append([kind, None, None])
    return sorted(map(json.dumps, out))


def legal(game, state):
    """The legal actions of Banyan's state, in the same form."""
    table, out = bridge.Table(game), []
    for action in state.legal():
        kind, player, at = bridge.answer(table, state.name(action))
        if kind.endswith("USE_SKILL"):
            player = None
        out.append([kind, player and table.name(player), at and list(at)])
    return sorted(map(json.dumps, out))


def differs(choices, ours):
    """The actions in only one of the two lists.  botbowl alone offers to end an incomplete setup, but then refuses:
    this is no difference."""
    theirs, ours = set(choices), set(ours)
    return sorted((theirs ^ ours) - ({'["END_SETUP", null, null]'} & theirs - ours))


# --- random games ---


def chosen(game, rng):
    """A random action for botbowl; actions with many consequences are more likely."""
    from botbowl import Action

    choices = [choice for choice in game.state.available_actions if not choice.disabled]
    choices = [choice for choice in choices if choice.players or choice.action_type.name != "PLACE_PLAYER"]
    kinds = [choice.action_type.name for choice in choices]
    rare = {"END_TURN": 0.05, "PLACE_PLAYER": 0.05, "UNDO": 0.05, "DONT_USE_SKILL": 0.1, "END_PLAYER_TURN": 0.3}
    eager = ("BLOCK", "PASS", "HANDOFF", "FOUL", "START_BLITZ", "START_PASS", "SETUP_FORMATION_SPREAD")
    choice = rng.choices(choices, [3 if kind in eager else rare.get(kind, 1) for kind in kinds])[0]
    position, player = (rng.choice(those) if those else None for those in (choice.positions, choice.players))
    return Action(choice.action_type, position=position, player=player)


def trained(size, seed):
    """Two teams of botbowl; their players have extra skills about which botbowl asks coaches."""
    import botbowl
    from botbowl.core.table import Skill

    learned = (
        "BREAK_TACKLE DAUNTLESS DIVING_TACKLE DUMP_OFF FOUL_APPEARANCE FRENZY GRAB JUGGERNAUT LEAP SHADOWING SIDE_STEP"
        " STAND_FIRM STRIP_BALL TENTACLES WRESTLE"
    ).split()
    rng = random.Random(seed)
    rules = botbowl.load_rule_set(botbowl.load_config(f"gym-{size}").ruleset, all_rules=False)
    teams = []
    for _ in range(2):
        name = rng.choice(TEAMS) if size == 11 else "human"
        team = botbowl.load_team_by_filename(name, rules, board_size=size)
        team.apothecaries = team.state.apothecaries = rng.randrange(2)
        for player in team.players:
            player.extra_skills = player.extra_skills + [Skill[one] for one in rng.sample(learned, 2)]
        teams.append(team)
    return teams


def fails(why):
    """Whether botbowl's own code raised the exception: it does when Juggernaut or Wrestle is declined, and when it asks
    about an apothecary in the other team's turn."""
    while why.__traceback__.tb_next:
        why = why.with_traceback(why.__traceback__.tb_next)
    return os.path.join("botbowl", "core") in why.__traceback__.tb_frame.f_code.co_filename


def play_on(*agents, **options):
    """Plays a game until its end, or until botbowl fails."""
    from banyan.bridges.botbowl import play

    try:
        play(*agents, **options)
    except (AttributeError, AssertionError) as why:
        if not fails(why):
            raise


def random_agent(name, seed, watch=lambda game: None):
    """An agent that plays at random and shows each decision to watch()."""
    import botbowl

    class Random(botbowl.Agent):
        rng = random.Random(seed)

        def new_game(self, game, team):
            pass

        def act(self, game):
            watch(game)
            return chosen(game, self.rng)

        def end_game(self, game):
            pass

    return Random(name)


def record(path, games=150, most=2):
    """Writes up to `most` decisions of each kind."""
    kept = collections.Counter()
    with gzip.GzipFile(path, "wb", mtime=0) as file:

        def watch(game):
            kind = " ".join(game.get_procedure_names()[-3:])
            if kept[kind] < (most if kept[kind] else 1) and len(game.state.available_actions[0].players) < 99:
                kept[kind] += 1
                row = {"kind": kind, "game": write(game), "offered": offered(game)}
                file.write((json.dumps(row, separators=(",", ":")) + "\n").encode())

        for seed in range(games):
            rng = random.Random(seed)
            size = rng.choice((1, 3, 5, 7, 11, 11, 11, 11))
            teams = trained(size, seed)
            agents = [random_agent(str(side), 2 * seed + side, watch) for side in range(2)]
            play_on(*agents, size=size, teams=teams, paths=seed % 6 == 0 and size < 11, seed=seed)
    print(sum(kept.values()), "decisions of", len(kept), "kinds")


# --- the dice: each step of botbowl as `banyan bloodbowl follow` takes it (docs/json.md) ---


class Noted:
    """Replaces a game's random generator, and records each number that is drawn, and by which procedure."""

    def __init__(self, source, game):
        self.source, self.game, self.log = source, game, []

    def note(self, kind, value):
        stack = self.game.state.stack
        self.log.append([kind, value, "?" if stack.is_empty() else type(stack.peek()).__name__])

    def rand(self, *size):
        drawn = self.source.rand(*size)
        self.note("coin", 1 if (drawn[0] if size else drawn) >= 0.5 else 0)
        return drawn

    def choice(self, items, *rest):
        index = int(self.source.randint(0, len(items)))
        self.note(f"choice{len(items)}", index)
        return items[index]

    def __getattr__(self, name):
        if name in ("source", "game", "log"):
            raise AttributeError(name)
        return getattr(self.source, name)


def note_dice():
    """Makes the dice of botbowl report their faces to a Noted."""
    import botbowl.core.model as model

    def noting(kind, name):
        draw = kind.__init__

        def init(self, rng):
            draw(self, rng)
            if isinstance(rng, Noted):
                rng.note(name, self.value.name if name == "BB" else int(self.value))

        kind.__init__ = init

    for name in ("D3", "D6", "D8"):
        noting(getattr(model, name), name)
    noting(model.BBDie, "BB")


if __name__ == "__main__":
    record(sys.argv[1])
