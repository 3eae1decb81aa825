"""The recipients that stories are told with: simulated from the document, set up as the story needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wizard.rehearse.behaviour import behaviour
from wizard.rehearse.recipient import Recipient
from wizard.rehearse.stage import target_of
from wizard.rehearse.subject import Casting
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.spec.validate import Checker, checker

_COMPANY = 9


@dataclass(slots=True)
class Simulation:
    """Makes simulated recipients; what checks requests is made once for each operation."""

    _checkers: dict[int, tuple[ApiOperation, Checker]] = field(default_factory=dict)

    def __call__(self, casting: Casting) -> Recipient:
        """The simulated recipient of one story."""
        facts, request, story = casting.subject.facts, casting.request, casting.story
        document = casting.subject.document
        checkers = self._of(document) if document is not None and casting.strict else None
        recipient = Recipient(facts, clock=casting.clock, behaviour=behaviour(casting.behaviour), checkers=checkers)
        if request is None:
            return recipient
        target = target_of(request)
        recipient.exists(target)
        if story.last:
            recipient.stock_equal(request.method, target, request.headers, request.body)
        if story.others:
            # Just more than one page holds; of a list that is not cut they are only there.
            sizes = [read.paging.size for read in facts.reads if read.paging.size is not None]
            sizes += [recipient.behaviour.page_size] if recipient.behaviour.page_size is not None else []
            crowd = min(max(sizes, default=_COMPANY) + 1, story.others)
            recipient.crowd(crowd, request.method, target, request.headers, request.body)
        return recipient

    def _of(self, document: ApiDocument) -> Callable[[ApiOperation], Checker]:
        def made(api: ApiOperation) -> Checker:
            known = self._checkers.get(id(api))
            if known is None:
                # The operation is kept beside its checker, so that no other one gets its id.
                known = self._checkers[id(api)] = (api, checker(document, api))
            return known[1]

        return made
