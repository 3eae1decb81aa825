-- The embedded store. Instants are microseconds since 1970.
CREATE TABLE invocations (
  log INTEGER NOT NULL UNIQUE DEFAULT (random() & 0x7fffffffffffffff), -- names the row's events for good, when it moves too
  workspace TEXT NOT NULL,
  address TEXT NOT NULL,
  operation TEXT NOT NULL,
  declaration TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('identity', 'call', 'arguments')),
  secret TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  state TEXT NOT NULL CHECK (state IN ('absent', 'attempted', 'completed')),
  version INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  holder TEXT NOT NULL,
  lease_until INTEGER,
  session TEXT NOT NULL,
  turn TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  key TEXT NOT NULL,
  key_place TEXT NOT NULL,
  reference TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  given TEXT NOT NULL,
  keep INTEGER,
  method TEXT,
  url TEXT,
  headers TEXT,
  body BLOB,
  first_send INTEGER NOT NULL,
  last_send INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  sends INTEGER NOT NULL,
  saw_server_error INTEGER NOT NULL,
  answer_status INTEGER,
  answer_headers TEXT,
  answer_body BLOB,
  answer_found INTEGER,
  settled_by TEXT,
  settled_at INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (workspace, address),
  -- Nothing leaves attempted unless it says by whom.
  CHECK (CASE state WHEN 'attempted' THEN settled_by IS NULL ELSE settled_by IS NOT NULL END),
  CHECK (settled_by IS NULL OR settled_by IN ('answer', 'probe') OR settled_by LIKE 'person:_%'),
  CHECK (state <> 'attempted' OR (url IS NOT NULL AND answer_status IS NULL)),
  CHECK (state <> 'completed' OR (answer_status IS NOT NULL AND settled_at IS NOT NULL))
) STRICT;
CREATE INDEX invocations_attempted ON invocations (workspace, first_send) WHERE state = 'attempted';
CREATE INDEX invocations_completed ON invocations (workspace, expires_at) WHERE state = 'completed';
CREATE INDEX invocations_operation ON invocations (workspace, operation) WHERE state <> 'absent';

CREATE TABLE invocation_events (
  workspace TEXT NOT NULL,
  log INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  detail TEXT NOT NULL,
  call TEXT NOT NULL,
  PRIMARY KEY (workspace, log, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  workspace TEXT NOT NULL,
  name TEXT NOT NULL,
  holder TEXT NOT NULL,
  fence INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (workspace, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE declarations (
  workspace TEXT NOT NULL,
  operation TEXT NOT NULL,
  digest TEXT NOT NULL,
  since INTEGER NOT NULL,
  replaced TEXT NOT NULL,
  PRIMARY KEY (workspace, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (workspace, kind, id)
) STRICT;

CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON invocation_events
BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON invocation_events
BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END;
CREATE TRIGGER attempted_never_goes BEFORE DELETE ON invocations WHEN OLD.state = 'attempted'
BEGIN SELECT RAISE(ABORT, 'an attempted write is never deleted'); END;
