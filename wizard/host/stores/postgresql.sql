CREATE SCHEMA skill_wizard;
CREATE SEQUENCE skill_wizard.logs;

-- For many workers and machines. Everything is partitioned by workspace; instants are microseconds since 1970.
-- Never partition by day: one key could be claimed on two days.
CREATE TABLE skill_wizard.invocations (
  log BIGINT NOT NULL DEFAULT nextval('skill_wizard.logs'), -- names the row's events for good, when it moves too
  workspace TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  declaration TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL CHECK (scope IN ('identity', 'call', 'arguments')),
  secret TEXT COLLATE "C" NOT NULL,
  generation BIGINT NOT NULL CHECK (generation >= 0),
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('absent', 'attempted', 'completed')),
  version BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  holder TEXT COLLATE "C" NOT NULL,
  lease_until BIGINT,
  session TEXT COLLATE "C" NOT NULL,
  turn TEXT COLLATE "C" NOT NULL,
  ordinal BIGINT NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  key_place TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  given TEXT COLLATE "C" NOT NULL,
  keep BIGINT,
  method TEXT COLLATE "C",
  url TEXT COLLATE "C",
  headers TEXT COLLATE "C",
  body BYTEA,
  first_send BIGINT NOT NULL,
  last_send BIGINT NOT NULL,
  deadline BIGINT NOT NULL,
  sends BIGINT NOT NULL,
  saw_server_error BIGINT NOT NULL,
  answer_status BIGINT,
  answer_headers TEXT COLLATE "C",
  answer_body BYTEA,
  answer_found BIGINT,
  settled_by TEXT COLLATE "C",
  settled_at BIGINT,
  expires_at BIGINT,
  PRIMARY KEY (workspace, address),
  -- Nothing leaves attempted unless it says by whom.
  CHECK (CASE state WHEN 'attempted' THEN settled_by IS NULL ELSE settled_by IS NOT NULL END),
  CHECK (settled_by IS NULL OR settled_by IN ('answer', 'probe') OR settled_by LIKE 'person:_%'),
  CHECK (state <> 'attempted' OR (url IS NOT NULL AND answer_status IS NULL)),
  CHECK (state <> 'completed' OR (answer_status IS NOT NULL AND settled_at IS NOT NULL))
) PARTITION BY HASH (workspace);
CREATE INDEX invocations_attempted ON skill_wizard.invocations (workspace, first_send) WHERE state = 'attempted';
CREATE INDEX invocations_completed ON skill_wizard.invocations (workspace, expires_at) WHERE state = 'completed';
CREATE INDEX invocations_operation ON skill_wizard.invocations (workspace, operation) WHERE state <> 'absent';

CREATE TABLE skill_wizard.invocation_events (
  workspace TEXT COLLATE "C" NOT NULL,
  log BIGINT NOT NULL,
  number BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  who TEXT COLLATE "C" NOT NULL,
  detail TEXT COLLATE "C" NOT NULL,
  call TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, log, number)
) PARTITION BY HASH (workspace);

CREATE TABLE skill_wizard.leases (
  workspace TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  holder TEXT COLLATE "C" NOT NULL,
  fence BIGINT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (workspace, name)
) PARTITION BY HASH (workspace);

CREATE TABLE skill_wizard.declarations (
  workspace TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  since BIGINT NOT NULL,
  replaced TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, operation)
) PARTITION BY HASH (workspace);

CREATE TABLE skill_wizard.documents (
  workspace TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, kind, id)
) PARTITION BY HASH (workspace);

DO $$
DECLARE parent TEXT;
BEGIN
  FOREACH parent IN ARRAY ARRAY['invocations', 'invocation_events', 'leases', 'declarations', 'documents'] LOOP
    FOR part IN 0..15 LOOP
      EXECUTE format(
        'CREATE TABLE skill_wizard.%I PARTITION OF skill_wizard.%I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
        parent || '_' || part, parent, part);
    END LOOP;
  END LOOP;
END $$;

CREATE FUNCTION skill_wizard.never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE ON skill_wizard.invocation_events
  FOR EACH ROW EXECUTE FUNCTION skill_wizard.never('events are only ever added');
CREATE TRIGGER attempted_never_goes BEFORE DELETE ON skill_wizard.invocations
  FOR EACH ROW WHEN (OLD.state = 'attempted')
  EXECUTE FUNCTION skill_wizard.never('an attempted write is never deleted');

CREATE TABLE skill_wizard.schema_version (version BIGINT NOT NULL);
INSERT INTO skill_wizard.schema_version VALUES (1);
