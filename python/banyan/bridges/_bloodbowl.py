"""Reads a game of botbowl as a state of Banyan, at any decision.

Banyan's stack of procedures is botbowl's, frame by frame (docs/games/bloodbowl-rules.md), so a position is
written from the attributes of the game alone: nothing is remembered from one decision to the next.  Only
attributes are read, so a copy, an unpickled game, or a game made of recorded values can be read, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banyan._core import BanyanError, State, game as banyan_game

BOARDS = {6: 1, 14: 3, 18: 5, 22: 7, 28: 11}  # width of the pitch with the crowd: players of a side
NOBODY, NO_TEAM, NOWHERE = 255, 2, 31
UNDEAD = ("Khemri", "Necromantic", "Undead", "Vampire")
FLAGS = (  # the first is bit 0
    "up used stunned in_air bone_headed hypnotized really_stupid heated knocked_out ejected wild_animal taken_root "
    "blood_lust picked_up has_blocked failed_nega_trait_this_turn"
).split()
USED = ["DODGE", "SURE_FEET", "LEAP", "BREAK_TACKLE", "FRENZY", "PRO"]
INJURIES = ["NONE", "MNG", "NIGGLING", "MA", "AV", "AG", "ST", "DEAD"]
WEATHERS = ["SWELTERING_HEAT", "VERY_SUNNY", "NICE", "POURING_RAIN", "BLIZZARD"]
ACTIVATIONS = [None, "MOVE", "BLOCK", "BLITZ", "PASS", "HANDOFF", "FOUL", "THROW_BOMB"]
FACES = [None, "ATTACKER_DOWN", "BOTH_DOWN", "PUSH", "DEFENDER_STUMBLES", "DEFENDER_DOWN"]
PATH_ACTIONS = {"MOVE": 17, "BLOCK": 18, "FOUL": 20, "HANDOFF": 21, "STAB": 46}  # their numbers in actions.def
AROUND = [(1, 1), (1, 0), (1, -1), (0, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)]  # bits of a set of neighbours
COMPASS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]  # steps of a path
STARTED, DONE, ROLLED, _GRANTED, REROLLED, A, B, C, D, E, F, G = (1 << bit for bit in range(12))


def square(at: Any) -> int:
    return NOWHERE if at is None else (int(at.y) + 1) * 32 + int(at.x)


def _bits(*named: tuple[int, Any]) -> int:
    return sum(bit for bit, there in named if there)


def _words(values: list[int]) -> str:
    return "".join(f" {int(value)}" for value in values)


class Table:
    """The numbers of teams (0, 1) and players (0 to 31, home first) in a game."""

    def __init__(self, game: Any) -> None:
        self.game, self.state = game, game.state
        self.teams = [self.state.home_team, self.state.away_team]
        self.ids: dict[str, int] = {}
        for team, first in zip(self.teams, (0, 16)):
            if len(team.players) > 16:
                raise BanyanError(f"a team has at most 16 players, and {team.name} has {len(team.players)}")
            self.ids |= {player.player_id: first + i for i, player in enumerate(team.players)}

    def player(self, player: Any) -> int:
        return NOBODY if player is None else self.ids[player.player_id]

    def team(self, team: Any) -> int:
        return NO_TEAM if team is None else int(team.team_id == self.teams[1].team_id)

    def named(self, name: str) -> Any:
        """The player that Banyan calls H7 or A12."""
        for player in self.teams["HA".index(name[0])].players:
            if player.nr == int(name[1:]):
                return player
        raise BanyanError(f"botbowl has no player {name}")

    def name(self, player: Any) -> str:
        return f"{'HA'[self.player(player) // 16]}{player.nr}"


# --- the procedures: the state of each one that is in progress ---


def _around(of: Any, players: list[Any]) -> int:
    """The neighbours of a square on which the players stand, as bits in the order of AROUND."""
    taken = {(p.position.x - of.x, p.position.y - of.y) for p in players}
    if (0, 0) in taken:  # a diving tackler: a free neighbour stands for the square that this player has left
        taken.add(next(step for step in AROUND if step not in taken))
    return sum(1 << i for i, step in enumerate(AROUND) if step in taken)


def _plain(table: Table, proc: Any) -> dict[str, int]:
    return {}


def _who(*names: str) -> Callable[[Table, Any], dict[str, int]]:
    """A reader of a frame that has players only: the attributes for the fields "player" and "other"."""

    def read(table: Table, proc: Any) -> dict[str, int]:
        return {field: table.player(getattr(proc, name)) for field, name in zip(("player", "other"), names)}

    return read


def _team(table: Table, proc: Any) -> dict[str, int]:
    return {"team": table.team(proc.team)}


def _half(table: Table, proc: Any) -> dict[str, int]:
    return {"number": proc.half, "phase": 2 if proc.kicked_off else int(proc.prepared)}


def _setup(table: Table, proc: Any) -> dict[str, int]:
    return {"team": table.team(proc.team), "phase": int(proc.reorganize)}


def _turn(table: Table, proc: Any) -> dict[str, int]:
    free = [proc.blitz_available, proc.pass_available, proc.handoff_available, proc.foul_available]
    bits = _bits(*zip((A, B, C, D), free), (E, proc.blitz), (F, proc.quick_snap))
    return {"team": table.team(proc.team), "number": proc.turn or 0, "bits": bits}


def _activation(table: Table, proc: Any) -> dict[str, int]:
    mate = getattr(proc, "picked_up_teammate", None)
    bits = _bits((A, proc.can_undo), (B, getattr(proc, "dump_off", False)))
    return {"player": table.player(proc.player), "other": table.player(mate), "bits": bits}


def _move(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits((A, proc.gfi), (B, proc.dodge), (C, proc.tentacles_used))
    around = 0 if proc.done else _around(proc.player.position, proc.tentaclers)
    dodged = proc.dodge_proc is not None and proc.dodge_proc.done
    tackler = proc.dodge_proc.diving_tackler if dodged else None
    return _to_square(table, proc) | {"other": table.player(tackler), "bits": bits, "around": around}


def _to_square(table: Table, proc: Any) -> dict[str, int]:
    return {"player": table.player(proc.player), "square": square(proc.position)}


def _dodge(table: Table, proc: Any) -> dict[str, int]:
    frame = _to_square(table, proc) | {"other": table.player(proc.diving_tackler)}
    if proc.started:
        around = _around(proc.from_position, proc.diving_tacklers)
        frame |= {"from": square(proc.from_position), "around": around}
    return frame | {"bits": _bits((A, proc.waiting_break_tackle))}


def _shadowing(table: Table, proc: Any) -> dict[str, int]:
    around = _around(proc.position, proc.shadowers or [])
    return {"player": table.player(proc.player), "from": square(proc.position), "around": around}


def _stand_up(table: Table, proc: Any) -> dict[str, int]:
    return {"player": table.player(proc.player), "phase": int(proc.roll_required)}


def _block_phase(proc: Any) -> int:
    if proc.waiting_juggernaut or proc.waiting_wrestle_attacker or proc.waiting_wrestle_defender:
        return 6 if proc.waiting_juggernaut else 7 if proc.waiting_wrestle_attacker else 8
    if proc.roll is not None:
        return 5
    if proc.foul_appearance is not None:
        return 1
    return 3 if proc.started and not proc.waiting_dump_off and not proc.gfi and not proc.waiting_foul_appearance else 0


def _block(table: Table, proc: Any) -> dict[str, int]:
    faces = [FACES.index(die.get_value().name) for die in proc.roll.dice] if proc.roll else []
    bits = _bits(
        (A, proc.blitz), (B, proc.frenzy_block), (C, proc.gfi), (E, proc.dauntless_success), (F, proc.dauntless_roll)
    )
    ahead = _bits((1, proc.waiting_dump_off), (2, proc.waiting_foul_appearance and proc.foul_appearance is None))
    return {
        "phase": _block_phase(proc),
        "team": table.team(proc.favor),
        "player": table.player(proc.attacker),
        "other": table.player(proc.defender),
        "number": ahead,
        "bits": bits,
        "roll": sum(face << 3 * i for i, face in enumerate(faces)) | len(faces) << 12,
    }


def _push_phase(proc: Any) -> int:
    if proc.waiting_for_move or proc.waiting_stand_firm:
        return 4 if proc.waiting_for_move else 1
    if proc.squares is None:
        return 0
    skills = [{skill.name for skill in _skills(who)} for who in (proc.pusher, proc.player)]
    grabs, steps = "GRAB" in skills[0], "SIDE_STEP" in skills[1]
    return 2 if (steps and (proc.chain or not grabs)) or (grabs and not steps and not proc.chain) else 3


def _push(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits(
        (A, proc.knock_down), (B, proc.blitz), (C, proc.chain), (D, proc.strip_ball_condition), (E, proc.crowd)
    )
    return {
        "phase": _push_phase(proc),
        "team": table.team((proc.selector or proc.pusher).team),
        "player": table.player(proc.pusher),
        "other": table.player(proc.player),
        "bits": bits,
        "square": square(proc.push_to),
        "from": square(proc.follow_to),
    }


def _follow_up(table: Table, proc: Any) -> dict[str, int]:
    return _who("attacker", "defender")(table, proc) | {"square": square(proc.pos_to)}


def _stab(table: Table, proc: Any) -> dict[str, int]:
    return _who("attacker", "defender")(table, proc) | {"phase": int(proc.gfi)}


def _knock_down(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits((A, not proc.armor_roll), (B, not proc.injury_roll), (C, proc.in_crowd), (D, proc.turnover))
    return _who("player", "inflictor")(table, proc) | {"bits": bits}


def _armor(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits((A, proc.foul), (E, proc.ejected))
    return _who("player", "inflictor")(table, proc) | {"bits": bits, "number": proc.modifiers}


def _injury(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits(
        (A, proc.foul), (B, proc.in_crowd), (C, proc.mighty_blow_used), (D, proc.dirty_player_used), (E, proc.ejected)
    )
    return _who("player", "inflictor")(table, proc) | {"bits": bits}


def _casualty(table: Table, proc: Any) -> dict[str, int]:
    return _who("player", "inflictor")(table, proc) | {"phase": 2 if proc.always_hungry else int(proc.decay)}


def _apothecary(table: Table, proc: Any) -> dict[str, int]:
    first, second = (0 if e is None else INJURIES.index(e.name) for e in (proc.effect_first, proc.effect_second))
    phase = 0 if proc.outcome.name == "KNOCKED_OUT" else 2 if proc.waiting_apothecary else 1
    return _who("player", "inflictor")(table, proc) | {"phase": phase, "number": first, "extra": second}


def _is_player(piece: Any) -> bool:
    return hasattr(piece, "player_id")


def _flyer(table: Table, proc: Any) -> int:
    return table.player(proc.piece) if _is_player(proc.piece) else NOBODY


def _is_bomb(piece: Any) -> bool:
    return type(piece).__name__ == "Bomb"


def _bounce(table: Table, proc: Any) -> dict[str, int]:
    return {"player": _flyer(table, proc), "bits": _bits((A, proc.kick), (D, _is_bomb(proc.piece)))}


def _scatter(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits((A, proc.kick), (B, proc.is_pass), (C, proc.gentle_gust), (D, _is_bomb(proc.piece)))
    return {"player": _flyer(table, proc), "bits": bits}


def _catch(table: Table, proc: Any) -> dict[str, int]:
    bits = _bits((A, proc.accurate), (B, proc.handoff), (C, proc.kick), (D, _is_bomb(proc.piece)))
    return {"player": table.player(proc.player), "bits": bits, "phase": int(proc.roll is not None)}


def _throw_in(table: Table, proc: Any) -> dict[str, int]:
    return {"square": square(proc.position)}


def _ate(proc: Any) -> tuple[bool, bool]:
    return proc.eat_thrall is not None, proc.eat_thrall is not None and bool(proc.eat_thrall.failed)


def _pass_attempt(table: Table, proc: Any) -> dict[str, int]:
    ate, failed = _ate(proc)
    bits = _bits(
        (A, proc.interception_tried or proc.roll), (B, proc.dump_off), (C, proc.safe_throw_used), (D, proc.turnover),
        (E, ate), (G, failed), (F, _is_bomb(proc.piece)),
    )  # fmt: skip
    who = {"player": table.player(proc.passer), "other": _flyer(table, proc)}
    return who | {"square": square(proc.position), "bits": bits, "phase": int(proc.fumble)}


def _interception(table: Table, proc: Any) -> dict[str, int]:
    attempt = next(below for below in reversed(table.state.stack.items) if hasattr(below, "interception_tried"))
    return {"team": table.team(proc.team), "player": table.player(proc.passer), "square": square(attempt.position)}


def _intercept(table: Table, proc: Any) -> dict[str, int]:
    return _who("interceptor", "passer")(table, proc) | {"phase": int(proc.safe_throw_roll is not None)}


def _handoff(table: Table, proc: Any) -> dict[str, int]:
    ate, failed = _ate(proc)
    where = {"player": table.player(proc.player), "square": square(proc.pos_to)}
    return where | {"phase": int(ate), "bits": _bits((G, failed))}


def _touchdown(table: Table, proc: Any) -> dict[str, int]:
    ate, failed = _ate(proc)
    phase = (2 if ate else 1) if proc.handle_bloodlust else 0
    return {"player": table.player(proc.player), "phase": phase, "bits": _bits((G, failed))}


def _trait(table: Table, proc: Any) -> dict[str, int]:
    """Phase 1: the roll is for a block, 2: for a blitz."""
    above = [type(item).__name__ for item in table.state.stack.items[: table.state.stack.items.index(proc)]]
    below = next((name for name in reversed(above) if name.endswith("Action")), "")
    return {"player": table.player(proc.player), "phase": {"BlockAction": 1, "BlitzAction": 2}.get(below, 0)}


def _eat_thrall(table: Table, proc: Any) -> dict[str, int]:
    return {"player": table.player(proc.player), "phase": int(proc.failed is False)}


def _reroll(table: Table, proc: Any) -> dict[str, int]:
    return {"player": table.player(proc.player), "phase": 1 if proc.can_use_pro else 2}


_player = _who("player")
_hungry = _who("hungry_player", "delicious_player")
FRAMES: dict[str, Callable[[Table, Any], dict[str, int]]] = {
    **dict.fromkeys("EndGame Pregame StartGame Fans CoinTossFlip CoinTossKickReceive ClearBoard".split(), _plain),
    **dict.fromkeys("ResetHalf Kickoff PlaceBall KickoffTable HighKick LandKick Touchback Turnover".split(), _plain),
    **dict.fromkeys("UndoPlayerAction TurnoverIfPossessionLost Explode".split(), _plain),
    **dict.fromkeys("PreKickoff TurnStunned".split(), _team),
    **dict.fromkeys("MoveAction BlitzAction PassAction HandoffAction FoulAction BlockAction".split(), _activation),
    **dict.fromkeys("EndPlayerTurn Pickup JumpUpToBlock Ejection Land BloodLustBlockOrMove".split(), _player),
    **dict.fromkeys("Bonehead ReallyStupid WildAnimal TakeRoot BloodLust".split(), _trait),
    "ThrowBombAction": _activation,
    "WeatherTable": lambda table, proc: {"phase": int(proc.kickoff)},
    "EndTurn": lambda table, proc: {"phase": int(proc.kickoff)},
    "Half": _half,
    "Setup": _setup,
    "Turn": _turn,
    "Touchdown": _touchdown,
    "Move": _move,
    "GFI": _to_square,
    "Leap": _to_square,
    "Dodge": _dodge,
    "Tentacles": _who("player", "tentacler"),
    "Shadowing": _shadowing,
    "StandUp": _stand_up,
    "Block": _block,
    "FoulAppearance": _who("attacker"),
    "Push": _push,
    "FollowUp": _follow_up,
    "Stab": _stab,
    "KnockDown": _knock_down,
    "Armor": _armor,
    "Injury": _injury,
    "KnockOut": _who("player", "inflictor"),
    "Casualty": _casualty,
    "Apothecary": _apothecary,
    "Foul": _who("fouler", "defender"),
    "Bounce": _bounce,
    "ThrowIn": _throw_in,
    "Scatter": _scatter,
    "Catch": _catch,
    "PassAttempt": _pass_attempt,
    "Interception": _interception,
    "Intercept": _intercept,
    "Handoff": _handoff,
    "AlwaysHungry": _hungry,
    "EscapeBeingEaten": _hungry,
    "Reroll": _reroll,
    "EatThrall": _eat_thrall,
    "HypnoticGaze": _who("player", "target_player"),
}
FIELDS = ["phase", "team", "player", "other", "around", "number", "extra", "bits", "square", "from", "roll"]
EMPTY = dict.fromkeys(FIELDS, 0) | {
    "team": NO_TEAM, "player": NOBODY, "other": NOBODY, "square": NOWHERE, "from": NOWHERE,
}  # fmt: skip


def _frame(table: Table, proc: Any, above: Any) -> str:
    name = type(proc).__name__
    if name not in FRAMES:
        if proc.done:  # its work is done; it only waits for procedures that it has started
            return ""
        raise BanyanError(f"botbowl's procedure {name} is not known while something above it is decided")
    frame = EMPTY | FRAMES[name](table, proc)
    frame["bits"] |= _bits(
        (STARTED, proc.started),
        (DONE, proc.done),
        (ROLLED, type(above).__name__ == "Reroll" and above.context is proc),
        (REROLLED, any(proc is done for done in table.state.rerolled_procs)),
    )
    return f" {name}{_words([frame[field] for field in FIELDS])}"


def _stack(table: Table) -> str:
    items = table.state.stack.items
    return "".join(_frame(table, proc, above) for proc, above in zip(items, [*items[1:], None]))


# --- teams and players ---


def _skills(player: Any) -> list[Any]:
    return list(player.role.skills) + list(player.extra_skills)


def _value(player: Any, name: str) -> int:
    """MA, ST, AG or AV with the injuries of this game."""
    effect = name.upper()
    before = sum(injury.name == effect for injury in player.injuries) * (-1 if name == "av" else 1)
    gained = sum(injury is not None and injury.name == effect for injury in player.state.injuries_gained)
    usual = getattr(player.role, name)
    return max(1, usual - 2, min(10, usual + getattr(player, f"extra_{name}") - before - gained))


def _sheet(team: Any) -> str:
    staff = [team.rerolls, team.fan_factor, team.ass_coaches, team.cheerleaders, team.apothecaries, team.race in UNDEAD]
    players = "".join(
        f";{_words([player.nr, *(_value(player, name) for name in ('ma', 'st', 'ag', 'av'))])}"
        + "".join(f" {name}" for name in dict.fromkeys(skill.name for skill in _skills(player)))
        for player in team.players
    )
    return f"{{{_words(staff)}{players}}}"


def _dugout(table: Table, team: Any) -> list[int]:
    dugout = table.state.dugouts[team.team_id]
    numbers = []
    for place in (dugout.reserves, dugout.kod, dugout.casualties, dugout.dungeon):
        numbers += [len(place), *map(table.player, place)]
    return numbers


def _team_numbers(table: Table, team: Any) -> list[int]:
    s = team.state
    return [s.score, s.turn, s.rerolls, s.reroll_used, s.bribes, s.apothecaries, s.fame, 0, *_dugout(table, team)]


def _player_numbers(player: Any) -> list[int]:
    s = player.state
    flags = _bits(*((1 << bit, getattr(s, name)) for bit, name in enumerate(FLAGS)))
    injuries = [8 if injury is None else INJURIES.index(injury.name) for injury in s.injuries_gained[:4]]
    used = sum(1 << USED.index(skill.name) for skill in s.used_skills if skill.name in USED)
    return [square(player.position), flags, sum(hurt << 4 * i for i, hurt in enumerate(injuries)), s.moves, used]


# --- the game ---


def _path(table: Table) -> tuple[int, int, int, int]:
    """The path that is being followed: steps left, what is done at its end, the last square reached, the steps."""
    for proc in table.state.stack.items:
        steps = list(getattr(proc, "steps", None) or [])
        if not steps:
            continue
        was = (proc.player.state.squares_moved or [proc.player.position])[-1]
        places = [was, *steps]
        path = 0
        for i, (one, two) in enumerate(zip(places, places[1:])):
            path |= COMPASS.index((two.x - one.x, two.y - one.y)) << 3 * i
        return len(steps), PATH_ACTIONS[proc.orig_action_type.name], square(was), path
    return 0, 0, NOWHERE, 0


def _game_numbers(table: Table) -> list[int]:
    s = table.state
    ball = next(iter(s.pitch.balls), None)
    left, act, reached, path = _path(table)
    action = None if s.player_action_type is None else s.player_action_type.name
    return [
        s.half, s.round, WEATHERS.index(s.weather.name), s.gentle_gust, s.spectators // 1000,
        table.team(s.current_team), table.team(s.coin_toss_winner), table.team(s.kicking_first_half),
        table.team(s.kicking_this_drive), table.team(s.turn_order[0] if s.turn_order else None),
        table.player(s.active_player), ACTIVATIONS.index(action), s.game_over, 0,
        ball is not None, ball is not None and ball.is_carried, ball is not None and ball.on_ground, 0,
        left, act, 0, square(ball and ball.position), NOWHERE, reached, path,
    ]  # fmt: skip


def _ask(game: Any) -> str:
    """How each coach is asked about rerolls: "human" or "bot".  In a copy by Bot Bowl's framework both bots are marked
    as human."""
    human = [bool(game.home_agent.human), bool(game.away_agent.human)]
    asked = ["human" if people and not all(human) else "bot" for people in human]
    return "/".join(asked)


def _hash(text: str) -> int:
    """The FNV-1a hash, from which Banyan sees whether a text was cut or changed."""
    number = 0x811C9DC5
    for byte in text.encode():
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    return number


def board(game: Any) -> str:
    """The name of Banyan's game."""
    width = game.arena.width
    if width not in BOARDS:
        raise BanyanError(f"botbowl's pitch is {width} squares wide, and Banyan has pitches of {sorted(BOARDS)}")
    return f"bloodbowl-{BOARDS[width]}"


def setup(game: Any) -> str:
    """The position as the text that banyan.game("bloodbowl-11").new() takes."""
    try:
        return _setup_text(Table(game))
    except (AttributeError, KeyError, IndexError, ValueError, TypeError, StopIteration) as why:
        raise BanyanError(f"this is no game of botbowl 1.1: {type(why).__name__}: {why}") from why


def _setup_text(table: Table) -> str:
    players = [player for team in table.teams for player in team.players]
    numbers = _words(_game_numbers(table))
    numbers += "".join(f" team{_words(_team_numbers(table, team))}" for team in table.teams)
    numbers += "".join(f" p{_words(_player_numbers(player))}" for player in players)
    numbers += f" stack{_stack(table)}"
    mode = "path" if table.game.config.pathfinding_enabled else "step"
    teams = f"home={_sheet(table.teams[0])} away={_sheet(table.teams[1])}"
    return f"mode={mode} ask={_ask(table.game)} quirks=botbowl {teams} position {_hash(numbers)}{numbers}"


def state(game: Any, seed: int | None = None) -> State:
    """The position as a state of Banyan.

    >>> from banyan.bridges import botbowl                              # doctest: +SKIP
    >>> print(botbowl.state(game))                                      # doctest: +SKIP
    """
    return banyan_game(board(game)).new(setup(game), seed=seed)


def answer(table: Table, text: str) -> tuple[str, Any, tuple[int, int] | None]:
    """The text of an action of Banyan as botbowl's kind of action, player and square."""
    kind, *words = text.split()
    player, at = None, None
    if words[:1] == ["path"]:
        mover = table.state.stack.items[-1].player.position
        at = (mover.x, mover.y)
        for digit in words[1]:
            step = COMPASS[int(digit) - 1]
            at = (at[0] + step[0], at[1] + step[1])
        return kind.upper(), None, at
    for word in words:
        if word[0] in "HA":
            player = table.named(word)
        elif word != "-":
            x, y = word.split(",")
            at = (int(x), int(y))
    return kind.upper(), player, at
