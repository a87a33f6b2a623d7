"""Boards of noughts and crosses as pictures, side by side, with the square that is touched next.

Signs differ in shape, not only in colour, and a touched square has a frame.

The picture is made for notebooks: `drawn` returns a value that a cell shows when it ends with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from joiner_magic.generators.games import INDICES, BoardPosition, Square
from joiner_magic.views.drawing import FAINT, LINE, Svg, named, page, piece, words
from joiner_magic.views.picture import Picture

_COLOURS = {"x": "#d55e00", "o": "#0072b2"}
_TOUCHED, _TOUCHED_FRAME = "#fff4c2", "#e69f00"
_CELL, _ARM, _HEADING, _MARGIN, _COLUMNS = 22.0, 6.0, 16.0, 9.0, 6
_SIDE = _CELL * len(INDICES)


def drawn(positions: Mapping[str, BoardPosition], columns: int = _COLUMNS) -> Picture:
    """A picture of the boards in rows, each under its name."""
    width, height = _SIDE + 2 * _MARGIN, _SIDE + _HEADING + 2 * _MARGIN
    boards = [
        _board(name, position, number % columns * width + _MARGIN, number // columns * height + _MARGIN)
        for number, (name, position) in enumerate(positions.items())
    ]
    rows = -(-len(positions) // columns)
    svg = page("boards", width * min(columns, len(positions)), height * rows, boards)
    return Picture(svg, "\n".join(_board_text(*named_position) for named_position in positions.items()))


def _board_text(name: str, position: BoardPosition) -> str:
    """A board in one line, row by row."""
    rows = ("".join(position.board[x, y].replace("blank", "-") for x in INDICES) for y in INDICES)
    if position.touched is None:
        outcome = f"{position.winner or 'nobody'} has won"
    else:
        outcome = f"{position.player} touches column {position.touched[0]}, row {position.touched[1]}"
    return f"{name}: {' '.join(rows)}, {outcome}"


def _board(name: str, position: BoardPosition, x: float, y: float) -> Svg:
    """A board under its name, with its upper left corner at this place."""
    top = y + _HEADING
    # The touched square comes last: its frame lies over the lines of its neighbours.
    squares = sorted(position.board, key=lambda square: square == position.touched)
    cells = [_cell(position, square, x, top) for square in squares]
    heading = words(x, y + 9, f"{name}, {_turn(position)}", fill=FAINT, font_size=10)
    return named(_board_text(name, position), heading, *cells)


def _turn(position: BoardPosition) -> str:
    """Whose turn it is, or who has won."""
    if position.touched is not None:
        return position.player
    if position.winner is None:
        return "open"
    return f"{position.winner} won"


def _cell(position: BoardPosition, square: Square, x: float, top: float) -> Svg:
    """A square with the sign that it shows."""
    left, up = x + (square[0] - 1) * _CELL, top + (square[1] - 1) * _CELL
    fill, stroke, stroke_width = "none", LINE, 1
    if square == position.touched:
        fill, stroke, stroke_width = _TOUCHED, _TOUCHED_FRAME, 2
    frame = piece(
        "rect",
        x=left,
        y=up,
        width=_CELL,
        height=_CELL,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width,
    )
    return piece("g", frame, *_sign(position.board[square], left + _CELL / 2, up + _CELL / 2))


def _sign(sign: str, x: float, y: float) -> tuple[Svg, ...]:
    """A cross or a nought around this place, or nothing."""
    if sign == "blank":
        return ()
    look = {"fill": "none", "stroke": _COLOURS[sign], "stroke_width": 2.5}
    if sign == "o":
        return (piece("circle", cx=x, cy=y, r=_ARM, **look),)
    arms = f"M{x - _ARM:.0f} {y - _ARM:.0f}l{2 * _ARM:.0f} {2 * _ARM:.0f}m0 {-2 * _ARM:.0f}l{-2 * _ARM:.0f} {2 * _ARM:.0f}"
    return (piece("path", d=arms, **look),)
