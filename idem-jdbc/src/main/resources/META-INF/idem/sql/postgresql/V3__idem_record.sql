-- The store of idem: one row for each record, and the scopes that applications announced.
-- Needed only where PostgreSQL is the store (idem.store=postgresql or postgresql-with-redis).
-- Works on PostgreSQL 12 and newer. May be run again: what exists is left alone.
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
    -- COMPLETED: the result, and the codec that wrote it; empty for work without a result.
    result_codec varchar(32) NOT NULL DEFAULT '',
    result       bytea       NOT NULL DEFAULT '',
    -- REJECTED: why.
    reason       text        NOT NULL DEFAULT '',
    CONSTRAINT idem_record_pkey PRIMARY KEY (key_id, scope)
);

-- For clean-up, which looks for records whose time has come.
CREATE INDEX IF NOT EXISTS idem_record_expires_at ON idem_record (expires_at);

CREATE TABLE IF NOT EXISTS idem_scope (
    name varchar(64) COLLATE "C" NOT NULL,
    CONSTRAINT idem_scope_pkey PRIMARY KEY (name)
);
