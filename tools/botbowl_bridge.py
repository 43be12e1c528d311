#!/usr/bin/env python3
"""Seats Banyan inside botbowl (github.com/njustesen/botbowl) as one of its agents.

    PYTHONPATH=BOTBOWL tools/botbowl_bridge.py --games 10 --opponent scripted
    PYTHONPATH=BOTBOWL tools/botbowl_bridge.py --board 5 --player agent --ms 100

Every decision of the game in botbowl, of both sides, goes with its dice to `banyan bloodbowl follow`,
which answers with the position; what Banyan must decide is put to `banyan serve`.  Where the two ever
disagree the state that botbowl has is taken over at the next decision of a team turn (docs/json.md,
Blood Bowl positions).  In other programs: from botbowl_bridge import BanyanAgent.
"""
import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys

try:
    import botbowl
    import botbowl.core.model as model
    from botbowl.core.table import ActionType
except ImportError as missing:
    print("botbowl_bridge: botbowl is not on PYTHONPATH (%s)" % missing, file=sys.stderr)
    sys.exit(1)

FLAGS = [("U", "up"), ("D", "used"), ("S", "stunned"), ("A", "in_air"), ("B", "bone_headed"),
         ("H", "hypnotized"), ("R", "really_stupid"), ("E", "heated"), ("K", "knocked_out"),
         ("J", "ejected"), ("W", "wild_animal"), ("T", "taken_root"), ("L", "blood_lust"),
         ("P", "picked_up"), ("X", "has_blocked"), ("F", "failed_nega_trait_this_turn")]
UNDEAD = ("Khemri", "Necromantic", "Undead", "Vampire")


# --- chance: what botbowl draws is noted, with the procedure that draws it ---

class Noted:
    """Stands before a game's random generator."""

    def __init__(self, source, game):
        self.source, self.game, self.log = source, game, []

    def note(self, kind, value):
        stack = self.game.state.stack
        where = "?" if stack.is_empty() else type(stack.peek()).__name__
        self.log.append([kind, value, where])

    def rand(self, *size):
        drawn = self.source.rand(*size)
        self.note("coin", 1 if (drawn[0] if size else drawn) >= 0.5 else 0)
        return drawn

    def choice(self, items, *rest):
        index = int(self.source.randint(0, len(items)))
        self.note("choice%d" % len(items), index)
        return items[index]

    def __getattr__(self, name):
        if name in ("source", "game", "log"):
            raise AttributeError(name)
        return getattr(self.source, name)


def note_dice(kind, name):
    draw = kind.__init__

    def init(self, rng):
        draw(self, rng)
        if isinstance(rng, Noted):
            rng.note(name, self.value.name if name == "BB" else int(self.value))
    kind.__init__ = init


for _name in ("D3", "D6", "D8"):
    note_dice(getattr(model, _name), _name)
note_dice(model.BBDie, "BB")


# --- what stands on the table, as docs/json.md has it ---

def square(at):
    return None if at is None else [int(at.x), int(at.y)]


class Table:
    def __init__(self, game):
        self.game = game
        self.teams = (game.state.home_team, game.state.away_team)
        self.players = [(letter, p) for letter, team in zip("HA", self.teams) for p in team.players]
        self.names = {p.player_id: "%s%d" % (letter, p.nr) for letter, p in self.players}
        self.by_name = {self.names[p.player_id]: p.player_id for _, p in self.players}

    def player(self, player):
        return None if player is None else self.names[player.player_id]

    def team(self, team):
        return None if team is None else "H" if team.team_id == self.teams[0].team_id else "A"

    def sheet(self, team):
        return {"rerolls": team.rerolls, "fan_factor": team.fan_factor, "ass_coaches": team.ass_coaches,
                "cheerleaders": team.cheerleaders, "apothecaries": team.apothecaries,
                "race": team.race, "players": [
                    {"nr": p.nr, "ma": p.get_ma(), "st": p.get_st(), "ag": p.get_ag(), "av": p.get_av(),
                     "skills": [skill.name for skill in p.get_skills()]} for p in team.players]}

    def row(self, name, p):
        at = [-1, -1] if p.position is None else square(p.position)
        row = [name] + at + ["".join(c for c, field in FLAGS if getattr(p.state, field)),
                             int(p.state.moves)]
        used = sorted(skill.name for skill in p.state.used_skills)
        hurt = ["NULL" if i is None else i.name for i in p.state.injuries_gained]
        return row + ([used] if used or hurt else []) + ([hurt] if hurt else [])

    def state(self):
        game, s = self.game, self.game.state
        pair = lambda field: [int(getattr(t.state, field)) for t in (s.home_team, s.away_team)]
        turn = game.current_turn()
        return {
            "half": int(s.half), "round": int(s.round), "turn": pair("turn"), "score": pair("score"),
            "rr": pair("rerolls"), "rru": pair("reroll_used"), "bribes": pair("bribes"),
            "apo": pair("apothecaries"), "fame": pair("fame"), "spect": int(s.spectators),
            "weather": s.weather.name, "gust": int(s.gentle_gust), "cur": self.team(s.current_team),
            "actor": None if s.game_over else self.team(game.active_team),
            "active": self.player(s.active_player),
            "pat": None if s.player_action_type is None else s.player_action_type.name,
            "toss": self.team(s.coin_toss_winner), "kick1": self.team(s.kicking_first_half),
            "kickd": self.team(s.kicking_this_drive), "order": "".join(map(self.team, s.turn_order)),
            "tp": None if turn is None else [
                int(x) for x in (turn.blitz_available, turn.pass_available, turn.handoff_available,
                                 turn.foul_available, turn.blitz, turn.quick_snap)],
            "ball": [square(b.position) + [int(b.is_carried), int(b.on_ground)]
                     for b in s.pitch.balls if b.position is not None],
            "P": [self.row(letter + str(p.nr), game.get_player(p.player_id))
                  for letter, p in self.players],
            "dug": [[[self.player(p) for p in getattr(s.dugouts[t.team_id], place)]
                     for place in ("reserves", "kod", "casualties", "dungeon")]
                    for t in (s.home_team, s.away_team)],
            "stack": game.get_procedure_names(), "over": int(s.game_over)}

    def head(self, board, asks):
        paths = self.game.config.pathfinding_enabled
        return {"t": "head", "game": "botbowl", "variant": board, "human_mode": asks,
                "pathfinding": "on" if paths else None, "home": self.sheet(self.teams[0]),
                "away": self.sheet(self.teams[1]), "st": self.state()}

    def position(self, board, asks):
        sheets = [self.sheet(t) for t in self.teams]
        for s in sheets:
            s["undead"] = int(s.pop("race") in UNDEAD)
        return {"game": "bloodbowl", "variant": board,
                "mode": "path" if self.game.config.pathfinding_enabled else "step",
                "ask": ["human" if a else "bot" for a in asks], "quirks": "botbowl",
                "home": sheets[0], "away": sheets[1], "st": self.state()}


# --- the two programs ---

class Program:
    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("%s has ended" % " ".join(self.process.args))
        return line.rstrip("\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


followed = {}  # id of a game -> who follows it


def follow_steps():
    plain = botbowl.Game._one_step

    def one_step(game, action):
        agent = followed.get(id(game))
        if agent is None or agent.game is not game or agent.inside:
            return plain(game, action)
        if action is not None:
            agent.decided(action)
        agent.inside = True  # botbowl ends some activations by itself, with a step in the step
        try:
            return plain(game, action)
        finally:
            agent.inside = False
    botbowl.Game._one_step = one_step


follow_steps()


class BanyanAgent(botbowl.Agent):
    """name; player: as `banyan list` names them; ms: for a decision."""

    def __init__(self, name, player="agent", ms=100, banyan="banyan"):
        super().__init__(name)
        self.words = dict(player=player, ms=ms, banyan=banyan)
        self.follow = self.serve = self.game = None
        self.decisions = self.lost = self.guesses = 0

    # botbowl calls these

    def new_game(self, game, team):
        self.stop()
        self.game, self.table = game, Table(game)
        self.seat = 0 if team.team_id == game.state.home_team.team_id else 1
        self.board = {6: 1, 14: 3, 18: 5, 22: 7, 28: 11}[game.arena.width]
        self.asks = [0, 0]
        game.rng = Noted(game.rng, game)
        banyan, player = self.words["banyan"], self.words["player"]
        self.follow = Program([banyan, "bloodbowl", "follow"])
        self.serve = Program([banyan, "serve", "bloodbowl-%d" % self.board, "--player", player])
        self.serve.tell("banyan 1 bloodbowl-%d" % self.board)
        self.serve.hear()
        self.pending = self.known = None
        self.send(self.table.head(self.board, self.asks))
        followed[id(game)] = self
        self.begun = self.inside = False

    def act(self, game):
        self.finish_step()
        self.decisions += 1
        if self.known is None:
            self.send(self.table.position(self.board, self.asks))  # taken over where it can be
        if self.known is None:
            return self.guess()
        self.serve.tell("%s %s" % ("state" if self.begun else "new %d 1" % self.seat, self.known))
        self.begun = True
        ms = self.words["ms"]
        self.serve.tell("clock %g %g %g" % (ms, ms, ms))
        self.serve.tell("choose")
        answer = self.serve.hear()
        while answer.startswith("info"):
            answer = self.serve.hear()
        if not answer.startswith("action "):
            raise RuntimeError("banyan serve: " + answer)
        return self.action(answer[len("action "):].split())

    def end_game(self, game):
        self.finish_step()
        self.stop()

    # ours

    def stop(self):
        followed.pop(id(self.game), None)
        for program in (self.follow, self.serve):
            if program is not None:
                program.close()
        self.follow = self.serve = None

    def send(self, line):
        self.follow.tell(json.dumps(line, separators=(",", ":")))
        answer = self.follow.hear()
        known = "error" not in json.loads(answer)
        self.known = answer if known else None
        if not known:
            self.why = json.loads(answer)["error"]

    def decided(self, action):
        """The game is about to play action: the step before it is over."""
        self.finish_step()
        g, t = self.game, self.table
        at = None if action.position is None else g.get_square(action.position.x, action.position.y)
        line = {"act": [action.action_type.name, t.player(action.player), square(at)]}
        for choice in g.state.available_actions:
            if choice.action_type == action.action_type and choice.paths:
                for path in choice.paths:
                    if path.get_last_step() == at:
                        line["path"] = {"steps": [square(step) for step in path.steps]}
        self.pending = line
        g.rng.log = []

    def finish_step(self):
        if self.pending is None:
            return
        line, self.pending = self.pending, None
        line["dice"] = self.game.rng.log
        if self.known is None:
            return
        self.send(line)
        if self.known is None or self.differs(json.loads(self.known)["st"]):
            self.known = None
            self.lost += 1

    def differs(self, st):
        """In what matters here: who stands where, the ball, the score, whose decision it is."""
        real = self.table.state()
        keys = ("score", "turn", "ball", "actor", "rr") if not real["over"] else ("score",)
        return any(st[k] != real[k] for k in keys) or (
            not real["over"] and any(a[:3] != b[:3] for a, b in zip(st["P"], real["P"])))

    def guess(self):
        """The first that ends something, while the position is unknown."""
        self.guesses += 1
        choices = [c for c in self.game.state.available_actions if not c.disabled]
        ends = [c for c in choices if c.action_type.name.startswith(("END", "DONT", "SELECT_NONE"))]
        choice = (ends or choices)[0]
        return botbowl.Action(choice.action_type,
                              position=choice.positions[0] if choice.positions else None,
                              player=choice.players[0] if choice.players else None)

    def action(self, words):
        kind, position, player = ActionType[words[0].upper()], None, None
        if len(words) > 2 and words[1] == "path":
            x, y = square(self.game.state.active_player.position)
            for digit in words[2]:
                x += (-1, 0, 1, -1, 1, -1, 0, 1)[int(digit) - 1]
                y += (-1, -1, -1, 0, 0, 1, 1, 1)[int(digit) - 1]
            position = self.game.get_square(x, y)
        else:
            for word in words[1:]:
                if word[0] in "HA":
                    player = self.game.get_player(self.table.by_name[word])
                elif word != "-":
                    position = self.game.get_square(*map(int, word.split(",")))
        return botbowl.Action(kind, position=position, player=player)


# --- matches ---

def make_opponent(name, file):
    if file and file not in sys.modules:
        spec = importlib.util.spec_from_file_location("opponent", file)
        sys.modules[file] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[file])
    return botbowl.make_bot(name)


def play(options, seed, home):
    config = botbowl.load_config("gym-%d" % options.board)
    config.competition_mode = False
    config.fast_mode = True
    config.pathfinding_enabled = options.mode == "path"
    config.pathfinding_directly_to_adjacent = config.pathfinding_enabled
    rules = botbowl.load_rule_set(config.ruleset, all_rules=False)
    arena = botbowl.load_arena(config.arena)
    teams = [botbowl.load_team_by_filename(options.team, rules, board_size=options.board)
             for _ in range(2)]
    ours = BanyanAgent("banyan", options.player, options.ms, options.banyan)
    theirs = make_opponent(options.opponent, options.file)
    seats = (ours, theirs) if home else (theirs, ours)
    game = botbowl.Game("bridge%d" % seed, teams[0], teams[1], seats[0], seats[1], config, arena=arena,
                        ruleset=rules, seed=seed)
    game.init()
    score = [t.state.score for t in (game.state.home_team, game.state.away_team)]
    return (score if home else score[::-1]), ours


def wilson(wins, n):
    z, p = 1.96, wins / n
    middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


def main():
    p = argparse.ArgumentParser(description="Banyan against a bot of botbowl, inside botbowl.")
    p.add_argument("--board", type=int, default=11, choices=(1, 3, 5, 7, 11))
    p.add_argument("--mode", default="path", choices=("path", "step"))
    p.add_argument("--games", type=int, default=2, help="half of them as home, half as away")
    p.add_argument("--opponent", default="random", help="a registered bot of botbowl")
    p.add_argument("--file", help="Python file that registers it, examples/scripted_bot_example.py")
    p.add_argument("--team", default="human")
    p.add_argument("--player", default="agent", help="a player of `banyan list`")
    p.add_argument("--ms", type=float, default=100, help="for a decision")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--banyan", default=os.environ.get("BANYAN", "banyan"), help="the program")
    options = p.parse_args()
    points = [0, 0, 0]
    touchdowns = [0, 0]
    for i in range(options.games):
        (own, other), agent = play(options, options.seed + i // 2, i % 2 == 0)
        points[0 if own > other else 1 if own == other else 2] += 1
        touchdowns[0] += own
        touchdowns[1] += other
        print("game %d, banyan %s: %d:%d; %d decisions, lost the thread %d times, guessed %d" % (
            i + 1, "home" if i % 2 == 0 else "away", own, other, agent.decisions, agent.lost,
            agent.guesses), flush=True)
    score = points[0] + points[1] / 2
    print("won %d, drawn %d, lost %d; score %.1f %% (%.1f to %.1f); touchdowns %d:%d" % (
        *points, 100 * score / options.games,
        *(100 * x for x in wilson(score, options.games)), *touchdowns))


if __name__ == "__main__":
    main()
