"""The whole proof: every declaration walked, every mutant found, every assumption shown to be needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wizard.host.explorer.assumptions import ASSUMPTIONS, LIMIT, Assumption, double_write
from wizard.host.explorer.model import Model
from wizard.host.explorer.mutants import MUTANTS, Mutant, explore
from wizard.host.explorer.walk import Broken, Walk, walk
from wizard.host.explorer.world import DECLARATIONS, Declared


@dataclass(frozen=True, slots=True)
class Proof:
    """What was explored and found, in a fixed order."""

    walks: tuple[tuple[Declared, Walk], ...]
    mutants: tuple[tuple[Mutant, Broken | None], ...]
    assumptions: tuple[tuple[Assumption, Broken | None], ...]
    limit: tuple[Assumption, Broken | None]

    @property
    def states(self) -> int:
        return sum(walked.states for _, walked in self.walks)

    @property
    def holds(self) -> bool:
        """No invariant breaks, no mutant survives, and no assumption is idle."""
        needed = all(broken is not None for _, broken in (*self.mutants, *self.assumptions, self.limit))
        return needed and all(walked.broken is None for _, walked in self.walks)


def prove(progress: Callable[[str], object] = lambda _: None) -> Proof:
    """Explores everything; the same on every run. `progress` is told what begins."""
    walks = []
    for declared in DECLARATIONS:
        progress(f"exploring {declared.name}")
        walks.append((declared, walk(Model(declared))))
    progress("breaking the rules one by one")
    mutants = tuple((mutant, explore(mutant)) for mutant in MUTANTS)
    assumptions = tuple((assumption, double_write(assumption)) for assumption in ASSUMPTIONS)
    return Proof(tuple(walks), mutants, assumptions, (LIMIT, double_write(LIMIT)))
