"""Pictures for notebooks: games, states, searches and trees as HTML and SVG."""

from __future__ import annotations

from html import escape

from banyan._core import Game, Search, State

__all__ = ["Tree", "game", "search", "state"]

_ROWS = 12  # of a table of moves


def _table(head: list[str], rows: list[list[str]]) -> str:
    line = "".join(f"<th style='text-align:left'>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{line}</tr></thead><tbody>{body}</tbody></table>"


def game(of: Game) -> str:
    """What is fixed in a game, as a table."""
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
    """The picture of a state; as text where the game draws none."""
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
    root = of.state
    if root is None:
        return f"<p>a search of {escape(of.game.title)} without a root: call set_root(state)</p>"
    stats = of.stats()
    tables = "".join(_moves(of, player) for player in root.movers) if stats.simulations else ""
    said = f"{stats.simulations:,} simulations, {stats.nodes:,} nodes, {stats.seconds:.2f} s"
    return f"<div>{state(root)}</div><p>{said}</p>{tables}"


class Tree:
    """The tree of a search as a picture: show.Tree(search, depth=2, min_visits=10)."""

    def __init__(self, of: Search, depth: int = 2, *, min_visits: int = 1, max_children: int = 4) -> None:
        self.svg = of.tree(depth, "svg", min_visits=min_visits, max_children=max_children)
        self.text = of.tree(depth, "text", min_visits=min_visits, max_children=max_children)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.text
