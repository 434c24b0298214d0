-- The inbox of idem: one row for each piece of work that took effect, written in the transaction of that work.
-- Works on PostgreSQL 12 and newer. May be run again: what exists is left alone.
-- The application's user needs SELECT, INSERT, UPDATE and DELETE on the table.

CREATE TABLE IF NOT EXISTS idem_inbox (
    -- The key: base64url of the first 128 bits of SHA-256 over tenant and key. Never the client's own text.
    key_id       varchar(22) COLLATE "C" NOT NULL,
    -- Whose work it was.
    scope        varchar(64) COLLATE "C" NOT NULL,
    -- Fencing token of the grant under which the work was done.
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

-- For clean-up, which looks for the oldest rows.
CREATE INDEX IF NOT EXISTS idem_inbox_claimed_at ON idem_inbox (claimed_at);
