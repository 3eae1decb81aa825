"""What the words of a call ask for: the options laid over the configuration."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence

from wizard.errors import UsageError
from wizard.lint.baseline import DEFAULT, read_baseline
from wizard.lint.config import find_config, load_config
from wizard.lint.engine import Request
from wizard.lint.formatting import format_names
from wizard.lint.rulebook import known_words
from wizard.lint.settings import Settings


def settings_of(args: argparse.Namespace) -> Settings:
    """The configuration, with the options that were typed laid over it. Raises ConfigError, UsageError."""
    settings = Settings(root=os.getcwd())
    if args.config and args.no_config:
        raise UsageError("`--config` and `--no-config` do not go together")
    if not args.no_config:
        found = args.config or find_config(os.getcwd())
        if found is not None:
            settings = load_config(os.path.relpath(found) if not args.config else found)
    changes: dict[str, object] = {
        name: value for name in ("severity", "confidence", "profile") if (value := getattr(args, name)) is not None
    }
    for name in ("select", "ignore"):
        if getattr(args, name) is not None:
            changes[name] = _names(getattr(args, name), f"--{name}")
    if args.no_cache:
        changes["cache"] = False
    return settings._replace(**changes)  # type: ignore[arg-type]


def _names(values: Iterable[str], option: str) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",") if name.strip()]
    known = known_words()
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name.lower().replace("_", "-"), known, n=1, cutoff=0.6)
            hint = f"Did you mean `{near[0]}`?" if near else "`skill-wizard rules` lists them"
            raise UsageError(f"`{option}`: there is no rule or family named `{name}`", remedy=hint.removesuffix("."))
    return tuple(names)


def _format(name: str, option: str) -> str:
    known = format_names()
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"There are {', '.join(known)}"
        raise UsageError(f"`{option}`: there is no format `{name}`", remedy=hint)
    return name


def outputs(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The reports that go into files: pairs of format and path. Looks at `--format`, too. Raises UsageError."""
    _format(args.format, "--format")
    if args.statistics and args.format not in ("text", "concise"):
        raise UsageError(
            f"`--statistics` is a text of its own, and no {args.format}",
            remedy=f"Count the findings of `--format {args.format}`, or leave `--format` out",
        )
    found = []
    for value in args.output:
        name, colon, path = value.partition(":")
        if not colon or not path:
            raise UsageError(f"`--output` is FORMAT:FILE, such as `sarif:lint.sarif`, not `{value}`")
        if path == "-":
            raise UsageError(f"`--output` writes files; `--format {name}` writes to standard output")
        found.append((_format(name, "--output"), path))
    return found


def baseline_path(args: argparse.Namespace, settings: Settings) -> str:
    """The baseline's path, as an option or the configuration names it, or its usual one."""
    if args.baseline:
        return str(args.baseline)
    base = settings.root if settings.file else os.getcwd()
    return os.path.relpath(os.path.join(base, settings.baseline or DEFAULT))


def request_of(args: argparse.Namespace, settings: Settings) -> Request:
    """What the run is asked for; reads standard input where it is to be read. Raises UsageError, ConfigError."""
    paths, texts = tuple(args.paths), {}
    if "-" in paths or args.stdin_filename:
        if any(path != "-" for path in paths):
            raise UsageError("standard input is one file, and other files are named beside it")
        name = args.stdin_filename or "SKILL.md"
        paths, texts = (name,), {name: _stdin()}
    if args.document == "-":
        raise UsageError("`--document` is a path or a URL: several processes read it, and standard input is read once")
    if args.document and "://" not in args.document and not os.path.isfile(args.document):
        raise UsageError(f"`--document`: there is no file `{args.document}`")
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("`--jobs` is at least 1")
    if args.skills_only:
        paths = _skills(paths, texts, settings)
    baseline = None
    if (args.baseline or settings.baseline) and not args.write_baseline:
        baseline = read_baseline(baseline_path(args, settings))
    return Request(
        paths=paths, texts=texts, document=args.document, since=args.since, baseline=baseline,
        cache=not args.no_cache, jobs=args.jobs, named_only=args.skills_only,
    )  # fmt: skip


def _stdin() -> str:
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("standard input is not UTF-8") from None


def _skills(paths: Sequence[str], texts: Mapping[str, str], settings: Settings) -> tuple[str, ...]:
    """Of files that are named, those that are skills and that nothing leaves out."""
    from wizard.lint.ignored import Ignored
    from wizard.lint.signs import may_declare

    base = settings.root if settings.file else os.getcwd()
    ignored = Ignored(".", settings.exclude, base)
    kept = []
    for path in paths:
        if os.path.isdir(path):
            kept.append(path)
            continue
        if ignored(path, False):
            continue
        if os.path.basename(path).lower() != "skill.md":
            try:
                if not (path.lower().endswith(".md") and may_declare(_head(path, texts))):
                    continue
            except OSError:
                pass
        kept.append(path)
    return tuple(kept)


def _head(path: str, texts: Mapping[str, str]) -> bytes:
    if path in texts:
        return texts[path].encode("utf-8", "surrogatepass")
    with open(path, "rb") as file:
        return file.read(70_000)
