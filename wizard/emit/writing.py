"""Skills written into a folder: what is there is read, a plan is made, and it is carried out or nothing is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePath

from wizard.emit.lock import FILE, Lock, read_lock
from wizard.emit.model import Layout, PassedOver, Plan, Subject
from wizard.emit.planning import Options, plan_skills
from wizard.emit.render import Templates
from wizard.errors import SkillError, UsageError
from wizard.skill.files import read_text, write_texts_atomic
from wizard.spec.model import ApiDocument


def plan_into(
    folder: Path,
    document: ApiDocument,
    subjects: Sequence[Subject],
    *,
    layout: Layout | None = None,
    templates: Path | None = None,
    force: bool = False,
    passed_over: Iterable[PassedOver] = (),
) -> Plan:
    """What writing the skills of `subjects` into a folder would change; nothing is written.

    Without a `layout` it is the one in which skills of this document stand there already, else a folder of them.
    Raises SkillError for files that cannot be read, UsageError for templates or a layout that do not fit.
    """
    lock = lock_in(folder)
    source = source_name(document, folder)
    held = lock.document(source)
    if held is not None and layout is not None and held.layout != layout and held.files:
        raise UsageError(
            f"the skills of {source} stand in `{folder}` in the layout `{held.layout}`",
            remedy=f"Choose another folder, or leave out `--layout {layout}`",
        )
    chosen = layout or (Layout(held.layout) if held is not None else Layout.FOLDER)
    return plan_skills(
        document, subjects, options=Options(source=source, layout=chosen, force=force), templates=Templates(templates),
        existing=lambda path: _text_of(folder / path), lock=lock, passed_over=passed_over,
    )  # fmt: skip


def write_plan(folder: Path, plan: Plan, laid: Callable[[int], None] = lambda count: None) -> None:
    """Carries a plan out, or nothing of it. Raises SkillError, and writes nothing, where files would be lost.

    `laid` is called when so many files are ready to take their places; what it raises stops it, and leaves nothing.
    """
    if plan.refused:
        listed = "; ".join(f"{folder / path}: {why}" for path, why in plan.refused)
        raise SkillError(
            f"nothing was written, for it would overwrite {listed}", remedy="Move them, or give `--force` to overwrite"
        )
    changed = [change for change in plan.changes if change.old != change.new]
    write_texts_atomic([(folder / change.path, change.new) for change in changed], laid)


def lock_in(folder: Path) -> Lock:
    """The lock of a folder, an empty one where it has none. Raises SkillError."""
    path = folder / FILE
    return read_lock(read_text(path).text, str(path)) if path.exists() else Lock()


def source_name(document: ApiDocument, folder: Path) -> str:
    """A document's name in the lock of a folder: the path from there, with `/`, or its URL."""
    name = document.source
    if name == "-" or "://" in name:
        return name
    try:
        return PurePath(os.path.relpath(name, folder)).as_posix()
    except ValueError:
        # On another drive: there is no path from here to there.
        return PurePath(name).as_posix()


def _text_of(path: Path) -> str | None:
    return read_text(path).text if path.exists() else None
