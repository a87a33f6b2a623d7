"""The texts that cells have said, by what they are about."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["bk", "examples", "bias", "test", "test bk"]
KINDS: tuple[Kind, ...] = get_args(Kind)
