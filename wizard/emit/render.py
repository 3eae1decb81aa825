"""Views put into words by templates: ours, or those of a folder that somebody names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wizard import assets
from wizard.errors import UsageError

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

_GAPS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
OPERATION = "operation.md.jinja"
INDEX = "index.md.jinja"
GROUP = "group.md.jinja"


class Templates:
    """The templates of a run. A file of the same name in `folder` stands in for ours, parts included."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise UsageError(f"there is no folder `{folder}` of templates")
        self.folder = folder
        self._environment: SandboxedEnvironment | None = None

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of a template, with one line end at its end. Raises UsageError that names template and line."""
        from jinja2 import TemplateError, TemplateSyntaxError

        try:
            text = self._env().get_template(name).render(values)
        except TemplateSyntaxError as error:
            place = f"{error.filename or error.name or name}:{error.lineno}"
            raise UsageError(f"the template is wrong: {error.message}", place=place) from error
        except TemplateError as error:
            raise UsageError(f"the template cannot be filled in: {error.message}", place=self._place(name)) from error
        except (ArithmeticError, LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise UsageError(f"the template cannot be filled in: {error}", place=self._place(name)) from error
        return _GAPS.sub("\n\n", text).strip("\n") + "\n"

    def _place(self, name: str) -> str:
        own = self.folder / name if self.folder is not None else None
        return str(own) if own is not None and own.is_file() else name

    def _env(self) -> SandboxedEnvironment:
        if self._environment is None:
            from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined
            from jinja2.sandbox import ImmutableSandboxedEnvironment

            folders = [assets.folder("templates")] if self.folder is None else [self.folder, assets.folder("templates")]
            # Markdown, not HTML: what comes from a document is neutralised for it before a template sees it.
            self._environment = ImmutableSandboxedEnvironment(
                loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
                undefined=StrictUndefined,
                autoescape=False,
                trim_blocks=True,
                lstrip_blocks=True,
                keep_trailing_newline=True,
            )
            self._environment.filters["listed"] = listed
        return self._environment


def listed(names: Sequence[str], word: str = "and") -> str:
    """`a, b and c`."""
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
