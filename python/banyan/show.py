"""Pictures for notebooks: games, states, searches and trees as HTML and SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from banyan._core import Game, Search, State

if TYPE_CHECKING:
    from banyan.matches import MatchResult
    from banyan.runs import Run

__all__ = ["Tree", "game", "match", "run", "search", "state"]

_ROWS = 12  # most rows of a table


def _table(head: list[str], rows: list[list[str]]) -> str:
    line = "".join(f"<th style='text-align:left'>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{line}</tr></thead><tbody>{body}</tbody></table>"


def _checked(of: Any, *kinds: type) -> None:
    if not isinstance(of, kinds):
        raise TypeError(f"this shows a {kinds[0].__name__}, got {of!r:.60}")


def game(of: Game) -> str:
    """The properties of a game, as a table."""
    _checked(of, Game)
    facts = {
        "name": of.name,
        "players": ", ".join(of.player_names),
        "traits": ", ".join(sorted(of.traits)) or "none",
        "returns": f"{of.returns[0]:g} to {of.returns[1]:g}",
        "most legal actions": of.max_legal,
        "policy head": of.policy_size or "none",
        "observation": of.observation_shape or "none",
        "strongest player": of.best,
    }
    rows = [[escape(name), escape(str(fact))] for name, fact in facts.items()]
    return _table([of.title, ""], rows)


def state(of: State) -> str:
    """The picture of a state; its text if the game draws no picture."""
    _checked(of, State)
    return of._repr_svg_() or f"<pre>{escape(str(of))}</pre>"


def _bar(share: float) -> str:
    width = max(1, round(120 * share))
    return f"<div style='width:{width}px;height:0.8em;background:#4a7ebb'></div>"


def _moves(of: Search, player: int) -> str:
    moves = of.moves(player)
    total = sum(move.visits for move in moves) or 1
    rows = []
    for move in moves[:_ROWS]:
        proven = f" proven {move.lo:g}" if move.lo == move.hi else ""
        numbers = [f"{move.visits:,}", f"{move.mean:+.3f}{proven}", f"{move.prior:.3f}"]
        rows.append([f"<b>{escape(move.text)}</b>", *numbers, _bar(move.visits / total)])
    if len(moves) > _ROWS:
        rows.append([f"{len(moves) - _ROWS} more", "", "", "", ""])
    return _table([of.game.player_names[player], "visits", "mean", "prior", ""], rows)


def search(of: Search) -> str:
    """The state at the root and the table of its actions."""
    _checked(of, Search)
    root = of.state
    if root is None:
        return f"<p>a search of {escape(of.game.title)} without a root: call set_root(state)</p>"
    stats = of.stats()
    tables = "".join(_moves(of, player) for player in root.movers) if stats.simulations else ""
    said = f"{stats.simulations:,} simulations, {stats.nodes:,} nodes, {stats.seconds:.2f} s"
    return f"<div>{state(root)}</div><p>{said}</p>{tables}"


def run(of: Run) -> str:
    """The last generations of a run as a table, and the tests of its best network."""
    from banyan.runs import Run

    _checked(of, Run)
    rows = []
    for one in of.generations[-_ROWS:]:
        losses = [f"{one.policy_loss:.3f}", f"{one.value_loss:.3f}"]
        rows.append([str(one.generation), f"{one.games:,}", f"{one.positions:,}", *losses, f"{one.elo:+.0f}"])
    tests = [[str(one.generation), escape(one.opponent), str(one.games), _bar(one.score)] for one in of.tests[-_ROWS:]]
    table = _table([of.game.title, "games", "positions", "policy loss", "value loss", "Elo"], rows)
    return table + (_table(["test after", "opponent", "games", "score"], tests) if tests else "")


def match(of: MatchResult) -> str:
    """The results of a match, for the first player, as a table."""
    from banyan.matches import MatchResult

    _checked(of, MatchResult)
    head = [of.game.title, "games", "wins", "draws", "losses", "mean return"]
    names = [f"<b>{escape(name)}</b>" for name in of.players]
    results = [[of.wins, of.draws, of.losses], [of.losses, of.draws, of.wins]]
    rows = [
        [name, f"{of.games:,}", *(f"{count:,}" for count in counts), f"{mean:.3f}"]
        for name, counts, mean in zip(names, results, of.returns, strict=True)
    ]
    if of.score != of.score:  # a game of one player
        return _table([head[0], head[1], head[5]], [[row[0], row[1], row[5]] for row in rows])
    low, high = of.interval
    said = [f"score {of.score:.3f} [{low:.3f}, {high:.3f}]"]
    said += [f"Elo {of.elo:+.0f} [{of.elo_interval[0]:+.0f}, {of.elo_interval[1]:+.0f}]"]
    if of.llr is not None and of.llr_bounds is not None:
        said += [f"LLR {of.llr:.2f} in [{of.llr_bounds[0]:.2f}, {of.llr_bounds[1]:.2f}]: {of.answer}"]
    return _table(head, rows) + f"<p>{', '.join(said)}</p>{_bar(of.score)}"


class Tree:
    """The tree of a search as a picture: show.Tree(search, depth=2, min_visits=10)."""

    def __init__(self, of: Search, depth: int = 2, *, min_visits: int = 1, max_children: int = 4) -> None:
        _checked(of, Search)
        self.svg = of.tree(depth, "svg", min_visits=min_visits, max_children=max_children)
        self.text = of.tree(depth, "text", min_visits=min_visits, max_children=max_children)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.text
