-- liquibase formatted sql
-- changeset idem:idem runOnChange:true

-- The tables of idem. One row of idem_record is one record: work that is under a lease, has taken effect, has failed or is rejected.
-- Works on PostgreSQL 14 and newer. May be run again: what exists is left alone.
-- The application's user needs SELECT, INSERT, UPDATE and DELETE on the tables.
-- A table idem_record of an earlier version, which has a column clean_at, must be dropped before, see docs/inbox-outbox.md.

CREATE TABLE IF NOT EXISTS idem_record (
    -- Fencing token of the last grant or claim: microseconds of the database's clock, or the grant's of another store if greater.
    fence        bigint      NOT NULL,
    -- By the database's clock. PENDING: end of the lease. FAILED: earliest retry. COMPLETED, REJECTED: when.
    at           timestamptz NOT NULL,
    -- From here on the record counts as absent, and clean-up deletes it.
    expires_at   timestamptz NOT NULL,
    -- When the relay sends the messages unless they were confirmed before; null if it need not. Such rows are never cleaned.
    relay_at     timestamptz,
    -- Number of grants and claims, and of whole work that failed; at most 65,535; 0 after a reopen.
    attempts     integer     NOT NULL,
    -- 1 PENDING, 2 COMPLETED, 3 FAILED, 4 REJECTED. A row with 2 is done work, and becomes visible with the commit of that work.
    state        smallint    NOT NULL,
    -- How the last grant came about: 0 FRESH, 1 RETRY, 2 TAKEOVER, 3 REENTRANT.
    grant_kind   smallint    NOT NULL,
    -- The key: base64url of the first 128 bits of SHA-256 over tenant and key. Never the client's own text.
    key_id       varchar(22) COLLATE "C" NOT NULL,
    -- Whose section of the key.
    scope        varchar(64) COLLATE "C" NOT NULL,
    -- Token of the attempt that has the lease or wrote the row; null after an operator's act.
    owner        bytea,
    -- Digest of the payload, 16 bytes; null if none was given: matches any.
    fingerprint  bytea,
    -- COMPLETED: what duplicates are answered with, and the codec that wrote it; null for work without a result.
    -- PENDING, FAILED: idem.again while the messages of work that sent its own message back are not confirmed.
    result_codec varchar(32) COLLATE "C",
    result       bytea,
    -- REJECTED: why.
    reason       text,
    -- Steps that earlier attempts have done, or begun (a name with a question mark): fence, codec and result in base64; null for none.
    steps        jsonb,
    -- Messages of the work, sent after the commit; null for none. The first byte is the format's version.
    outgoing     bytea,
    CONSTRAINT idem_record_pkey PRIMARY KEY (key_id, scope)
);

-- The relay looks for rows of its scopes that are due.
CREATE INDEX IF NOT EXISTS idem_record_relay_at ON idem_record (scope, relay_at) WHERE relay_at IS NOT NULL;

-- The scopes that applications with PostgreSQL as their store have announced.
CREATE TABLE IF NOT EXISTS idem_scope (
    name varchar(64) COLLATE "C" NOT NULL,
    CONSTRAINT idem_scope_pkey PRIMARY KEY (name)
);
