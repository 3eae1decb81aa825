"""Workflow commands of GitHub Actions: each change that is not approved becomes an annotation of the pull request."""

from __future__ import annotations

from wizard.layout import Look, shown
from wizard.lint.formats.github import command
from wizard.review.formats.sarif import main_excerpt, rooted
from wizard.review.formatting import Format
from wizard.review.model import Grade, Review

LEVELS = {Grade.BREAKS: "error", Grade.RISKY: "warning", Grade.SAFE: "notice"}


def render(review: Review, look: Look) -> str:
    """A command for each change, the worst first: a run shows the first ten of a level."""
    lines = []
    grades = tuple(Grade)
    for change in sorted(review.changes, key=lambda one: (grades.index(one.grade), not one.money)):
        if change.approved is not None:
            continue
        members = {}
        place = main_excerpt(change)
        if place is not None and "://" not in place.path:
            members["file"] = shown(rooted(place.path, review.within))
            if place.side == "head":
                members["line"] = str(place.line)
                members["endLine"] = str(place.end_line)
        members["title"] = f"{change.grade}: {shown(change.operation)}"
        message = "\n".join(shown(" ".join(one.split())) for one in (change.title, change.effect, change.remedy) if one)
        lines.append(command(LEVELS[change.grade], members, message))
    lines += [command("error", {"title": "not compared"}, shown(problem)) for problem in review.problems]
    return "".join(lines)


FORMAT = Format("github", "text/plain", render)
