"""The recipient shows times without a zone."""

from __future__ import annotations

import re
from typing import Any

from wizard.rehearse.behaviour import Behaviour


def _bare(moment: Any) -> Any:
    return re.sub(r"([Zz]|[+-]\d\d:?\d\d)$", "", moment) if isinstance(moment, str) and "T" in moment else moment


BEHAVIOUR = Behaviour(
    name="times-without-zone",
    says="Its times of creation have no zone.",
    shows="With `since`, a probe cannot tell what was made half a day before or after from this write.",
    time=_bare,
    breaks_document=True,
    lacks=lambda facts: "" if any(read.shown.made for read in facts.reads) else "no read shows a time of creation",
)
