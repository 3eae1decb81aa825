"""The statements of the stores that speak SQL, written once. Pure.

Parameters are named, as `@name`. Every statement names its
workspace: nothing of one workspace is ever seen or changed out of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from wizard.host.stores._rows import COLUMNS

LIVE = "(state = 'attempted' OR (state = 'completed' AND (expires_at IS NULL OR expires_at > @now)))"


_SET = ", ".join(f"{column} = @{column}" for column in COLUMNS if column not in ("workspace", "address"))


@lru_cache(maxsize=64)
def claim(addresses: int, seen: int) -> str:
    """The one statement that claims, for so many addresses and so many records seen at them."""
    at_them = f"workspace = @workspace AND address IN ({', '.join(f'@a{index}' for index in range(addresses))})"
    as_seen = " OR ".join(f"(address = @s{index} AND version = @v{index})" for index in range(seen))
    conditions = [
        "EXISTS (SELECT 1 FROM leases WHERE workspace = @workspace AND name = @under_name"
        " AND holder = @under_holder AND fence = @under_fence AND until > @now)",
        "NOT EXISTS (SELECT 1 FROM declarations WHERE workspace = @workspace AND operation = @operation"
        " AND digest <> @declaration)",
        f"NOT EXISTS (SELECT 1 FROM invocations WHERE {at_them}{f' AND NOT ({as_seen})' if seen else ''})",
    ]
    if seen:
        conditions.append(f"(SELECT count(*) FROM invocations WHERE {at_them} AND ({as_seen})) = {seen}")
    values = ", ".join(f"@{column}" for column in COLUMNS)
    # What stands at the claim's own address is replaced only as it was seen, and never while it is attempted.
    return (
        f"INSERT INTO invocations ({', '.join(COLUMNS)}) SELECT {values} WHERE {' AND '.join(conditions)}"
        f" ON CONFLICT (workspace, address) DO UPDATE SET {_SET}"
        " WHERE invocations.version = @before AND invocations.state <> 'attempted' RETURNING log"
    )


def claim_values(addresses: Sequence[str], seen: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """The parameters of `claim` for addresses and what was seen at them."""
    values: dict[str, Any] = {f"a{index}": address for index, address in enumerate(addresses)}
    for index, (address, version) in enumerate(seen):
        values |= {f"s{index}": address, f"v{index}": version}
    return values


UPDATE = (
    f"UPDATE invocations SET {_SET} WHERE workspace = @workspace AND address = @address AND version = @before"
    " RETURNING log"
)
LEASE_ALIVE = (
    "SELECT 1 FROM leases WHERE workspace = @workspace AND name = @name AND holder = @holder AND fence = @fence"
    " AND until > @now"
)
ADD_EVENT = (
    "INSERT INTO invocation_events (workspace, log, number, kind, at, who, detail, call)"
    " VALUES (@workspace, @log, @number, @kind, @at, @who, @detail, @call)"
)
EVENTS = (
    "SELECT kind, at, who, detail, call FROM invocation_events WHERE workspace = @workspace AND log = @log"
    " ORDER BY number"
)
RECORDS = f"SELECT log, {', '.join(COLUMNS)} FROM invocations WHERE workspace = @workspace"
AT_ADDRESS = f"{RECORDS} AND address = @address"
ATTEMPTED = f"{RECORDS} AND state = 'attempted' ORDER BY first_send, address LIMIT @limit"
FIND = f"{RECORDS} AND address >= @prefix AND address < @behind ORDER BY first_send DESC, address DESC LIMIT @limit"
EXPIRED = f"{RECORDS} AND state = 'completed' AND expires_at <= @now ORDER BY expires_at, address LIMIT @limit"
OF_OPERATION = f"{RECORDS} AND operation = @operation AND {LIVE} ORDER BY address"

ACQUIRE = (
    "INSERT INTO leases (workspace, name, holder, fence, until) VALUES (@workspace, @name, @holder, 1, @until)"
    " ON CONFLICT (workspace, name) DO UPDATE SET holder = @holder, fence = leases.fence + 1, until = @until"
    " WHERE leases.holder = '' OR leases.holder = @holder OR leases.until <= @now RETURNING fence"
)
RENEW = (
    "UPDATE leases SET until = @until WHERE workspace = @workspace AND name = @name AND holder = @holder"
    " AND fence = @fence AND until > @now RETURNING fence"
)
RELEASE = (
    "UPDATE leases SET holder = '' WHERE workspace = @workspace AND name = @name AND holder = @holder"
    " AND fence = @fence"
)

DECLARATION = "SELECT digest, since, replaced FROM declarations WHERE workspace = @workspace AND operation = @operation"
FIRST_DECLARATION = (
    "INSERT INTO declarations (workspace, operation, digest, since, replaced)"
    " VALUES (@workspace, @operation, @declaration, @now, '[]') ON CONFLICT (workspace, operation) DO NOTHING"
)
SET_DECLARATION = (
    "INSERT INTO declarations (workspace, operation, digest, since, replaced)"
    " VALUES (@workspace, @operation, @digest, @since, @replaced)"
    " ON CONFLICT (workspace, operation) DO UPDATE SET digest = @digest, since = @since, replaced = @replaced"
    " WHERE declarations.digest = @was RETURNING digest"
)
GIVE_WAY = f"DELETE FROM invocations WHERE workspace = @workspace AND address = @address AND NOT {LIVE}"
STANDS = "SELECT 1 FROM invocations WHERE workspace = @workspace AND address = @address"
MOVE_AWAY = (
    "UPDATE invocations SET address = @aside WHERE workspace = @workspace AND address = @address AND version = @before"
    " RETURNING log"
)
MOVE_TO = (
    f"UPDATE invocations SET address = @address, {_SET} WHERE workspace = @workspace AND address = @aside RETURNING log"
)

DOCUMENTS = (
    "SELECT id, version, body FROM documents WHERE workspace = @workspace AND kind = @kind AND id >= @prefix"
    " AND id < @behind ORDER BY id"
)
DOCUMENT = "SELECT version, body FROM documents WHERE workspace = @workspace AND kind = @kind AND id = @id"
NEW_DOCUMENT = (
    "INSERT INTO documents (workspace, kind, id, version, body) VALUES (@workspace, @kind, @id, 1, @document)"
    " ON CONFLICT (workspace, kind, id) DO NOTHING RETURNING version"
)
CHANGE_DOCUMENT = (
    "UPDATE documents SET body = @document, version = version + 1 WHERE workspace = @workspace AND kind = @kind"
    " AND id = @id AND version = @version RETURNING version"
)
DELETE_DOCUMENT = (
    "DELETE FROM documents WHERE workspace = @workspace AND kind = @kind AND id = @id AND version = @version"
    " RETURNING version"
)


def behind(prefix: str) -> str:
    """A text behind every text that begins with the prefix, in the order of code points."""
    return prefix + "\U0010ffff"
