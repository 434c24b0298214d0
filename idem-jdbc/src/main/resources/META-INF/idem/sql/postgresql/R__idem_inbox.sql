-- liquibase formatted sql
-- changeset idem:idem-inbox runOnChange:true

-- The inbox of idem: one row for each piece of work that took effect, written in the transaction of that work.
-- Works on PostgreSQL 12 and newer. May be run again: what exists is left alone, and tables of earlier versions are brought up to date.
-- The application's user needs SELECT, INSERT, UPDATE and DELETE on the tables.

CREATE TABLE IF NOT EXISTS idem_inbox (
    -- The key: base64url of the first 128 bits of SHA-256 over tenant and key. Never the client's own text.
    key_id       varchar(22) COLLATE "C" NOT NULL,
    -- Whose work it was.
    scope        varchar(64) COLLATE "C" NOT NULL,
    -- Fencing token of the work: that of its grant or the database's clock in microseconds, whichever was greater.
    fence        bigint      NOT NULL,
    -- Start of the transaction, by the database's clock. Clean-up counts from here.
    claimed_at   timestamptz NOT NULL DEFAULT now(),
    -- What duplicates are answered with, and the codec that wrote it; empty for work without a result.
    result_codec varchar(32) NOT NULL DEFAULT '',
    result       bytea       NOT NULL DEFAULT '',
    -- Messages that the work published, sent after the commit; empty for none. The first byte is the format's version.
    outgoing     bytea       NOT NULL DEFAULT '',
    CONSTRAINT idem_inbox_pkey PRIMARY KEY (key_id, scope)
);

-- Columns of later versions. They take no time; on a large table create their indexes CONCURRENTLY before running this.

-- Token of the attempt that wrote the row, so that it recognises its own commit; empty in rows of the first version.
ALTER TABLE idem_inbox ADD COLUMN IF NOT EXISTS owner bytea NOT NULL DEFAULT '';
-- When the relay sends the messages of the row unless they were confirmed before, see docs/inbox-outbox.md; null if it need not.
ALTER TABLE idem_inbox ADD COLUMN IF NOT EXISTS relay_at timestamptz;
-- Digest of the payload, 16 bytes; empty if it is not known, as in rows of earlier versions: those match any payload.
ALTER TABLE idem_inbox ADD COLUMN IF NOT EXISTS fingerprint bytea NOT NULL DEFAULT '';

-- For clean-up, which looks for the oldest rows.
CREATE INDEX IF NOT EXISTS idem_inbox_claimed_at ON idem_inbox (claimed_at);
-- The relay looks for rows of its scopes that are due.
CREATE INDEX IF NOT EXISTS idem_inbox_relay_at ON idem_inbox (scope, relay_at) WHERE relay_at IS NOT NULL;

-- Work that failed, where the inbox is the store of its records (idem.store=inbox); else this table stays empty.
-- A table of its own, because instances of earlier versions take every row of idem_inbox for work that took effect.
CREATE TABLE IF NOT EXISTS idem_inbox_failure (
    key_id      varchar(22) COLLATE "C" NOT NULL,
    scope       varchar(64) COLLATE "C" NOT NULL,
    -- Number of failed attempts, and the greatest fence of them.
    attempts    integer     NOT NULL,
    fence       bigint      NOT NULL,
    -- Digest of the payload, 16 bytes; empty if it is not known.
    fingerprint bytea       NOT NULL DEFAULT '',
    -- Whether the work failed for good, and why.
    rejected    boolean     NOT NULL DEFAULT false,
    reason      text        NOT NULL DEFAULT '',
    -- The earliest retry.
    not_before  timestamptz NOT NULL,
    -- Last failure. Clean-up counts from here.
    failed_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idem_inbox_failure_pkey PRIMARY KEY (key_id, scope)
);
CREATE INDEX IF NOT EXISTS idem_inbox_failure_failed_at ON idem_inbox_failure (failed_at);

-- Attempts whose transaction is the last phase of their work (transaction = LAST_PHASE): one row for each record, from the first
-- step, or the lease, until the transaction commits. Else this table stays empty; only unfinished work has rows.
CREATE TABLE IF NOT EXISTS idem_inbox_attempt (
    key_id      varchar(22) COLLATE "C" NOT NULL,
    scope       varchar(64) COLLATE "C" NOT NULL,
    -- Greatest fence of the attempts that have read the steps; smaller ones are shut out.
    fence       bigint      NOT NULL,
    -- Steps that were done, or begun (a name with a question mark): fence, codec and result in base64.
    steps       jsonb       NOT NULL DEFAULT '{}',
    -- Where the inbox is the store, the lease: token of its owner, empty if its attempt has failed; its end; the number of leases
    -- that ended without a word of their owner; digest of the payload.
    owner       bytea       NOT NULL DEFAULT '',
    lease_until timestamptz NOT NULL DEFAULT now(),
    lapsed      integer     NOT NULL DEFAULT 0,
    fingerprint bytea       NOT NULL DEFAULT '',
    -- Last change. Clean-up counts from here.
    touched_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idem_inbox_attempt_pkey PRIMARY KEY (key_id, scope)
) WITH (fillfactor = 70);
