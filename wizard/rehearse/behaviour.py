"""How a recipient may differ from what is documented and declared: one module of `behaviours/` for each way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib import import_module
from typing import Any

from wizard.discover import module_names
from wizard.errors import UsageError
from wizard.rehearse.facts import Facts

NOTHING = timedelta(0)


def as_it_is(facts: Facts) -> Facts:
    return facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """A way to behave. Whatever is not given is as documented."""

    name: str
    """As `--recipient` takes it."""
    says: str
    """What it does, in one sentence."""
    shows: str = ""
    """What a declaration that rests on the opposite comes to, in one sentence."""
    change: Callable[[Facts], Facts] = as_it_is
    """What is true of this recipient instead."""
    lacks: Callable[[Facts], str] = lambda facts: ""
    """Why it makes no difference for such an operation; empty where it does."""
    stores_errors: bool = False
    """An error that a request with a key ended with is kept and given again."""
    key_with_body: bool = False
    """A key counts together with what came under it: another body under the same key is another write."""
    list_after: Callable[[Facts], timedelta] = lambda facts: NOTHING
    """How long after it was made a list begins to show a write."""
    commits_after: timedelta = NOTHING
    """Nothing shows a write sooner: it is accepted first and carried out then."""
    page_size: int | None = None
    """So many are in one answer of a list, though nothing says so."""
    refuses_equal: int | None = None
    """The status for a write that is equal in all that tells two apart."""
    text: Callable[[str], str] | None = None
    """What becomes of a text that is stored."""
    time: Callable[[Any], Any] | None = None
    """What becomes of a time of creation that is shown."""
    shows_deleted: bool = False
    """What was deleted is still there for who asks."""
    breaks_document: bool = False
    """Its answers are not as documented, and meant not to be."""


AS_DOCUMENTED = Behaviour(name="as-documented", says="It behaves as its document says.")


@cache
def behaviour_names() -> tuple[str, ...]:
    """The names of all behaviours, sorted; imports none."""
    from wizard.rehearse import behaviours

    return tuple(sorted(name.replace("_", "-") for name in module_names(behaviours)))


def behaviour(name: str) -> Behaviour:
    """A behaviour by its name; empty text and `as-documented` are none at all. Raises UsageError for another name."""
    if name in ("", AS_DOCUMENTED.name):
        return AS_DOCUMENTED
    if name not in behaviour_names():
        from difflib import get_close_matches

        near = get_close_matches(name, behaviour_names(), 1)
        listed = ", ".join(behaviour_names())
        remedy = f"Did you mean `{near[0]}`?" if near else f"There are {listed}."
        raise UsageError(f"there is no recipient that is `{name}`", remedy=remedy)
    found: Behaviour = import_module(f"wizard.rehearse.behaviours.{name.replace('-', '_')}").BEHAVIOUR
    return found
