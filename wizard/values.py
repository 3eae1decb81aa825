"""Frozen classes of plain values that cost next to nothing before one is made.

`dataclasses` writes and compiles six methods for each class while its module is imported, and loads `inspect` for it:
for a run over one small file that was half of the time. A class of this module is a frozen, slotted dataclass in all
that one sees of it (its constructor, equality, order, `match`, copies, pickles, `dataclasses.replace`, `fields` and
`asdict`), but its methods are the same few functions for every class, and its constructor is compiled when the first
value is made. Annotations are those of the class itself; there is no inheritance of fields.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


class _Made:
    """Stands for a default that is made anew for each value."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.factory = factory


def made(*, factory: Callable[[], T]) -> T:
    """A default that `factory` makes anew for each value."""
    return _Made(factory)  # type: ignore[return-value]


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(
    *, slots: bool = True, kw_only: bool = False, order: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(made,))
def frozen(
    cls: type[Any] | None = None, /, *, slots: bool = True, kw_only: bool = False, order: bool = False, eq: bool = True
) -> Any:
    """Makes a class one of frozen values with a field for each annotation.

    `slots=False` is for classes with cached properties; without `eq` a value is equal to itself only.
    """

    def decorate(found: type[Any]) -> Any:
        return _frozen(found, slots, kw_only, order, eq)

    return decorate if cls is None else decorate(cls)


def replace(value: T, **changes: Any) -> T:
    """The value of such a class with some fields changed. Raises TypeError for a field that there is not."""
    given = {name: getattr(value, name) for name in type(value).__value_fields__}  # type: ignore[attr-defined]
    return type(value)(**{**given, **changes})


def _frozen(cls: type[Any], slots: bool, kw_only: bool, order: bool, eq: bool) -> type[Any]:
    types: dict[str, Any] = cls.__annotations__ if "__annotations__" in vars(cls) else {}
    names = tuple(types)
    written = dict(vars(cls))
    defaults = {name: written[name] for name in names if name in written}
    if slots:
        left_out = {*defaults, "__dict__", "__weakref__"}
        members = {name: member for name, member in written.items() if name not in left_out}
        done: type[Any] = type(cls.__name__, cls.__bases__, {**members, "__slots__": names})
        done.__qualname__ = cls.__qualname__
    else:
        done = cls
        for name, default in defaults.items():
            if isinstance(default, _Made):
                delattr(cls, name)
    for name, member in _methods(done, names, defaults, kw_only, order, eq).items():
        if name not in written:
            setattr(done, name, member)
    return done


def _methods(
    cls: type[Any], names: tuple[str, ...], defaults: dict[str, Any], kw_only: bool, order: bool, eq: bool
) -> dict[str, Any]:
    """What the class has beside what is written in it."""
    read: Callable[[Any], Any] = attrgetter(*names) if names else lambda self: ()

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        cls.__init__ = _constructor(cls, names, defaults, kw_only)
        cls.__init__(self, *values, **named)

    def __eq__(self: Any, other: object) -> bool:
        return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(read(self))

    found: dict[str, Any] = {
        "__init__": __init__, "__repr__": _repr, "__setattr__": _refuse, "__delattr__": _refuse,
        "__getstate__": _state, "__setstate__": _restore, "__replace__": replace, "__value_fields__": names,
        "__match_args__": () if kw_only else names, "__dataclass_fields__": _Twin(defaults, kw_only, "fields"),
        "__dataclass_params__": _Twin(defaults, kw_only, "params"),
    }  # fmt: skip
    if eq:
        found |= {"__eq__": __eq__, "__hash__": __hash__}
    if order:

        def __lt__(self: Any, other: object) -> bool:
            return read(self) < read(other) if other.__class__ is self.__class__ else NotImplemented

        def __le__(self: Any, other: object) -> bool:
            return read(self) <= read(other) if other.__class__ is self.__class__ else NotImplemented

        def __gt__(self: Any, other: object) -> bool:
            return read(self) > read(other) if other.__class__ is self.__class__ else NotImplemented

        def __ge__(self: Any, other: object) -> bool:
            return read(self) >= read(other) if other.__class__ is self.__class__ else NotImplemented

        found |= {"__lt__": __lt__, "__le__": __le__, "__gt__": __gt__, "__ge__": __ge__}
    return found


def _constructor(cls: type[Any], names: tuple[str, ...], defaults: dict[str, Any], kw_only: bool) -> Any:
    """The constructor, compiled: a function that takes the fields by place or name and stores them."""
    slotted = "__slots__" in vars(cls)
    within: dict[str, Any] = {"_MADE": _Made}
    given, lines = [], []
    for name in names:
        if name not in defaults:
            given.append(name)
        elif isinstance(defaults[name], _Made):
            within[f"_made_{name}"] = defaults[name].factory
            given.append(f"{name}=_MADE")
            lines.append(f" if {name} is _MADE: {name} = _made_{name}()")
        else:
            within[f"_default_{name}"] = defaults[name]
            given.append(f"{name}=_default_{name}")
        if slotted:
            # The slot itself writes past the refusal, and faster than `object.__setattr__` does.
            within[f"_set_{name}"] = vars(cls)[name].__set__
            lines.append(f" _set_{name}(_self, {name})")
        else:
            lines.append(f" _self.__dict__[{name!r}] = {name}")
    head = ", ".join(["_self", *(["*"] if kw_only and given else []), *given])
    exec(f"def __init__({head}):\n" + "\n".join(lines or [" pass"]), within)
    constructor = within["__init__"]
    constructor.__qualname__ = f"{cls.__qualname__}.__init__"
    return constructor


def _repr(self: Any) -> str:
    said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__value_fields__)
    return f"{self.__class__.__qualname__}({said})"


def _refuse(self: Any, name: str, *value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> dict[str, Any]:
    return {name: getattr(self, name) for name in self.__value_fields__}


def _restore(self: Any, state: dict[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)


class _Twin:
    """What `dataclasses` asks a class for, made when it asks: that of a dataclass with the same fields."""

    def __init__(self, defaults: dict[str, Any], kw_only: bool, what: str) -> None:
        self.defaults, self.kw_only, self.what = defaults, kw_only, what

    def __get__(self, value: object, cls: type[Any]) -> Any:
        import dataclasses

        fields = []
        for name, declared in cls.__annotations__.items():
            default = self.defaults.get(name, dataclasses.MISSING)
            told: Any = (
                dataclasses.field(default_factory=default.factory)
                if isinstance(default, _Made)
                else dataclasses.field(default=default)
            )
            fields.append((name, declared, told))
        twin: Any = dataclasses.make_dataclass(cls.__name__, fields, frozen=True, kw_only=self.kw_only)
        found: dict[str, Any] = {"fields": twin.__dataclass_fields__, "params": twin.__dataclass_params__}
        return found[self.what]
