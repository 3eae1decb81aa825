"""The bytes of a document: from a path, a URL (only when one was given), or standard input."""

from __future__ import annotations

import ipaddress
import os
import stat
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urljoin, urlsplit, urlunsplit

from wizard.errors import DocumentError, LimitError
from wizard.spec.limits import FETCH_SECONDS, MAX_BYTES, MAX_REDIRECTS

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = "application/vnd.oai.openapi+json, application/json, application/yaml, text/yaml, */*;q=0.5"


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of a document, its name, and its real path or final URL (None for standard input)."""

    name: str
    location: Path | str | None
    data: bytes


def is_url(source: str | Path) -> bool:
    """Whether it is an `http` or `https` URL."""
    return isinstance(source, str) and source.lower().startswith(("http://", "https://"))


def fetch(source: str | Path) -> Fetched:
    """The document that a person named: a path, a URL, or `-`. Raises DocumentError and LimitError."""
    name = str(source)
    if name == "-":
        return Fetched("-", None, _limited(sys.stdin.buffer, "-", MAX_BYTES))
    if isinstance(source, str) and is_url(source):
        data, url = read_url(source, MAX_BYTES)
        return Fetched(without_credentials(source), url, data)
    path = Path(source)
    try:
        if path.is_dir():
            raise DocumentError("this is a folder", place=name, remedy="Name the document's file in it.")
        return Fetched(name, path.resolve(), read_file(path, MAX_BYTES, name))
    except FileNotFoundError:
        raise DocumentError("there is no such file", place=name, remedy="Check the path.") from None
    except PermissionError:
        raise DocumentError("it may not be read", place=name, remedy="Check the file's permissions.") from None
    except (OSError, ValueError, RuntimeError) as error:
        # A name with a zero byte, a loop of links.
        raise DocumentError(f"it cannot be read ({_reason(error)})", place=name, remedy="Check the path.") from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def read_file(path: Path, most: int, name: str) -> bytes:
    """The bytes of a file, at most `most`. Raises LimitError, OSError."""
    with path.open("rb") as file:
        return _limited(file, name, most)


def read_regular_file(path: Path, most: int, name: str) -> bytes:
    """The same of a file that a document named: a pipe or a device, which might never end, is refused."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("it is no regular file")
        return _limited(file, name, most)


def _limited(file: BinaryIO, name: str, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(name)
    return data


def _too_large(name: str) -> LimitError:
    return LimitError(
        f"it is larger than the {MAX_BYTES // 1_000_000} MB that we read",
        place=name,
        remedy="Cut it down to the operations you need.",
    )


def read_url(url: str, most: int, *, within: str | None = None, seconds: float = FETCH_SECONDS) -> tuple[bytes, str]:
    """The bytes at a URL, at most `most` of them, and the URL that gave them in the end.

    `within`: a redirect must stay under this URL. Raises DocumentError and LimitError.
    """
    import httpx2

    deadline = time.monotonic() + seconds
    shown = without_credentials(url)
    try:
        with httpx2.Client(timeout=httpx2.Timeout(min(10.0, seconds)), headers={"accept": _ACCEPT}) as client:
            for _ in range(MAX_REDIRECTS + 1):
                with client.stream("GET", url) as answer:
                    if answer.status_code in _REDIRECTS and "location" in answer.headers:
                        url = redirected(url, answer.headers["location"], shown, within)
                        continue
                    if answer.status_code != 200:
                        raise _refused(answer.status_code, answer.reason_phrase, shown)
                    data = bytearray()
                    for chunk in answer.iter_bytes():
                        data += chunk
                        if len(data) > most:
                            raise _too_large(shown)
                        if time.monotonic() > deadline:
                            raise httpx2.ReadTimeout("the whole took too long")
                    return bytes(data), without_credentials(url)
    except httpx2.TimeoutException:
        raise DocumentError(
            f"no complete answer within {seconds:g} seconds", place=shown, remedy="Try again, or download it yourself."
        ) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        said = str(error) or type(error).__name__
        raise DocumentError(f"it cannot be fetched ({said})", place=shown, remedy="Check the address.") from None
    raise DocumentError(f"it redirects more than {MAX_REDIRECTS} times", place=shown, remedy="Give the final address.")


def _refused(status: int, reason: str, shown: str) -> DocumentError:
    remedy = "Check the address."
    if status in (401, 403):
        remedy = "Download the document yourself and give the file."
    elif status >= 500 or status == 429:
        remedy = "Try again later, or download the document yourself."
    return DocumentError(f"the server answered {status} {reason}".rstrip(), place=shown, remedy=remedy)


def redirected(url: str, location: str, shown: str, within: str | None) -> str:
    """Where a redirect leads. Raises DocumentError where it is not to be followed."""
    following = urljoin(url, location)
    before, after = urlsplit(url), urlsplit(following)
    why = ""
    if after.scheme not in ("http", "https"):
        why = f"to `{after.scheme}:`"
    elif before.scheme == "https" and after.scheme == "http":
        why = "from https to http"
    elif _is_private(after.hostname) and not _is_private(before.hostname):
        why = "into a private network"
    elif within is not None and not following.startswith(within):
        why = "out of the document's folder"
    if why:
        raise DocumentError(
            f"it redirects {why} (`{without_credentials(following)}`), which is not followed",
            place=shown,
            remedy="Give the final address if you trust it.",
        )
    return following


def _is_private(host: str | None) -> bool:
    if not host or host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def without_credentials(url: str) -> str:
    """The URL as it may be shown: no name and password in it, and no fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, parts.query, ""))
