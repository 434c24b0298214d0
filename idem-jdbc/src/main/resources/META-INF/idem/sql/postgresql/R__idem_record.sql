-- liquibase formatted sql
-- changeset idem:idem-record runOnChange:true

-- The store of idem: one row for each record, and the scopes that applications announced.
-- Needed only where PostgreSQL is the store (idem.store=postgresql or postgresql-with-redis).
-- Works on PostgreSQL 12 and newer. May be run again: what exists is left alone, and tables of earlier versions are brought up to date.
-- The application's user needs SELECT, INSERT, UPDATE and DELETE on both tables.

CREATE TABLE IF NOT EXISTS idem_record (
    -- The key: base64url of the first 128 bits of SHA-256 over tenant and key. Never the client's own text.
    key_id       varchar(22) COLLATE "C" NOT NULL,
    -- Whose section of the key.
    scope        varchar(64) COLLATE "C" NOT NULL,
    -- 1 PENDING, 2 COMPLETED, 3 FAILED, 4 REJECTED.
    state        smallint    NOT NULL,
    -- Number of grants; stays at 65,535 when it gets there; 0 after a reopen.
    attempts     integer     NOT NULL,
    -- How the last grant came about: 0 FRESH, 1 RETRY, 2 TAKEOVER, 3 REENTRANT.
    grant_kind   smallint    NOT NULL,
    -- Fencing token of the last grant.
    fence        bigint      NOT NULL,
    -- Digest of the payload; empty if none was given.
    fingerprint  bytea       NOT NULL,
    -- Token of the last attempt; empty in COMPLETED and REJECTED, where the fence names the grant, and after a reopen.
    owner        bytea       NOT NULL,
    -- By the database's clock. PENDING: end of the lease. FAILED: earliest retry. Else: moment of settling.
    at           timestamptz NOT NULL,
    -- From here on the record counts as absent, whether clean-up has passed or not.
    expires_at   timestamptz NOT NULL,
    -- When clean-up looks at the row, about an eighth of the retention later; it deletes the row or looks again when it has expired.
    -- The only indexed moment, and not changed by renewals and settlements: they are HOT updates, which touch no index.
    clean_at     timestamptz NOT NULL DEFAULT now(),
    -- COMPLETED: the result, and the codec that wrote it; empty for work without a result.
    result_codec varchar(32) NOT NULL DEFAULT '',
    result       bytea       NOT NULL DEFAULT '',
    -- REJECTED: why.
    reason       text        NOT NULL DEFAULT '',
    -- Steps that earlier attempts have done, or begun (a name with a question mark): fence, codec and result in base64.
    steps        jsonb       NOT NULL DEFAULT '{}',
    CONSTRAINT idem_record_pkey PRIMARY KEY (key_id, scope)
) WITH (fillfactor = 70);

-- Tables of earlier versions: their rows are looked at once. Clean-up of instances of the earlier version reads the whole table from
-- here on; it is needed no more when they are gone.
ALTER TABLE idem_record ADD COLUMN IF NOT EXISTS clean_at timestamptz NOT NULL DEFAULT now();
DROP INDEX IF EXISTS idem_record_expires_at;

ALTER TABLE idem_record ADD COLUMN IF NOT EXISTS steps jsonb NOT NULL DEFAULT '{}';

CREATE INDEX IF NOT EXISTS idem_record_clean_at ON idem_record (clean_at);

CREATE TABLE IF NOT EXISTS idem_scope (
    name varchar(64) COLLATE "C" NOT NULL,
    CONSTRAINT idem_scope_pkey PRIMARY KEY (name)
);
