"""Ids of nodes in the lattice: the one place that makes them and takes them apart.

An id is stable within a run. A browser gets it as a text and sends it back, and the text may then be anything: `parse`
is the only way from a text to an id.
"""

from __future__ import annotations

import re

from joiner_magic.search.fate import Fate

_FORM = re.compile(r"(?:[rp][0-9]{1,9}|s[0-9]{1,9}:.+)")


class NodeId(str):
    """The id of a rule that the run recorded, of a rule that it did not record, or of a stub.

    Recorded rules are `r<number>` by their number in the record. Others are `p<number>` in the order in which they were
    first shown: most of them were evaluated for the lattice, and questions/rule_ids.py numbers them. A stub, `s<number>:<kind>`,
    stands for specialisations of the recorded rule with this number that were never made because of a constraint of
    this kind.
    """

    __slots__ = ()

    @classmethod
    def recorded(cls, number: int) -> NodeId:
        """The id of a rule of the record."""
        return cls(f"r{number}")

    @classmethod
    def evaluated(cls, number: int) -> NodeId:
        """The id of a rule that is not in the record, and was evaluated for the lattice."""
        return cls(f"p{number}")

    @classmethod
    def stub(cls, number: int, kind: Fate) -> NodeId:
        """The id of the stub below a rule of the record, for what a constraint of this kind cut off there."""
        return cls(f"s{number}:{kind}")

    @classmethod
    def parse(cls, text: str) -> NodeId | None:
        """The id that a text is; None for a text that is none."""
        if not _FORM.fullmatch(text):
            return None
        key = cls(text)
        if key.is_stub and key.partition(":")[2] not in set(Fate):
            return None
        return key

    @property
    def is_recorded(self) -> bool:
        """Whether it is the id of a rule of the record."""
        return self.startswith("r")

    @property
    def is_evaluated(self) -> bool:
        """Whether it is the id of a rule that is not in the record."""
        return self.startswith("p")

    @property
    def is_stub(self) -> bool:
        """Whether it is the id of a stub."""
        return self.startswith("s")

    @property
    def number(self) -> int:
        """The number of the rule among those recorded or evaluated; of a stub, that of the rule above it."""
        return int(self[1:].partition(":")[0])

    @property
    def cut_kind(self) -> Fate:
        """The fate that a stub stands for: that of the programs which forbid its rules, or UNFINISHED."""
        return Fate.called(self.partition(":")[2])
