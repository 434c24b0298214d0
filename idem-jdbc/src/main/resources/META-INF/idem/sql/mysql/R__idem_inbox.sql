-- liquibase formatted sql
-- changeset idem:idem-inbox runOnChange:true

-- The inbox of idem: one row for each piece of work that took effect, written in the transaction of that work.
-- Works on MySQL 8.0.13 and newer. May be run again: what exists is left alone.
-- The application's user needs SELECT, INSERT, UPDATE and DELETE on the tables.

CREATE TABLE IF NOT EXISTS idem_inbox (
    -- The key: base64url of the first 128 bits of SHA-256 over tenant and key. Never the client's own text.
    key_id       varchar(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- Whose work it was.
    scope        varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- Fencing token of the work: that of its grant or the database's clock in microseconds, whichever was greater.
    fence        bigint NOT NULL,
    -- Token of the attempt that wrote the row, so that it recognises its own commit.
    owner        varbinary(12) NOT NULL,
    -- Digest of the payload, 16 bytes; empty if it is not known: such a row matches any payload.
    fingerprint  varbinary(16) NOT NULL DEFAULT '',
    -- When the row was claimed, in UTC, by the database's clock. Clean-up counts from here.
    claimed_at   datetime(6) NOT NULL DEFAULT (utc_timestamp(6)),
    -- What duplicates are answered with, and the codec that wrote it; empty for work without a result.
    result_codec varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    result       longblob NOT NULL DEFAULT (''),
    -- Messages that the work published, sent after the commit; empty for none. The first byte is the format's version.
    outgoing     longblob NOT NULL DEFAULT (''),
    -- When the relay sends the messages of the row unless they were confirmed before, see docs/inbox-outbox.md, in UTC; null if it need not.
    relay_at     datetime(6) NULL,
    PRIMARY KEY (key_id, scope),
    -- For clean-up, which looks for the oldest rows.
    INDEX idem_inbox_claimed_at (claimed_at),
    -- The relay looks for rows of its scopes that are due.
    INDEX idem_inbox_relay_at (scope, relay_at)
) ENGINE = InnoDB;

-- Work that failed, where the inbox is the store of its records (idem.store=inbox); else this table stays empty.
CREATE TABLE IF NOT EXISTS idem_inbox_failure (
    key_id      varchar(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    scope       varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- Number of failed attempts, and the greatest fence of them.
    attempts    int NOT NULL,
    fence       bigint NOT NULL,
    -- Digest of the payload, 16 bytes; empty if it is not known.
    fingerprint varbinary(16) NOT NULL DEFAULT '',
    -- Whether the work failed for good, and why.
    rejected    boolean NOT NULL DEFAULT false,
    reason      text CHARACTER SET utf8mb4 NOT NULL DEFAULT (''),
    -- The earliest retry, in UTC.
    not_before  datetime(6) NOT NULL,
    -- Last failure, in UTC. Clean-up counts from here.
    failed_at   datetime(6) NOT NULL DEFAULT (utc_timestamp(6)),
    PRIMARY KEY (key_id, scope),
    INDEX idem_inbox_failure_failed_at (failed_at)
) ENGINE = InnoDB;

-- Attempts whose transaction is the last phase of their work (transaction = LAST_PHASE): one row for each record, from the first
-- step, or the lease, until the transaction commits. Else this table stays empty; only unfinished work has rows.
CREATE TABLE IF NOT EXISTS idem_inbox_attempt (
    key_id      varchar(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    scope       varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- Greatest fence of the attempts that have read the steps; smaller ones are shut out.
    fence       bigint NOT NULL,
    -- Steps that were done, or begun (a name with a question mark): fence, codec and result in base64.
    steps       json NOT NULL DEFAULT (json_object()),
    -- Where the inbox is the store, the lease: token of its owner, empty if its attempt has failed; its end, in UTC; the number of leases
    -- that ended without a word of their owner; digest of the payload.
    owner       varbinary(12) NOT NULL DEFAULT '',
    lease_until datetime(6) NOT NULL DEFAULT (utc_timestamp(6)),
    lapsed      int NOT NULL DEFAULT 0,
    fingerprint varbinary(16) NOT NULL DEFAULT '',
    -- Last change, in UTC. Clean-up counts from here.
    touched_at  datetime(6) NOT NULL DEFAULT (utc_timestamp(6)),
    PRIMARY KEY (key_id, scope),
    INDEX idem_inbox_attempt_touched_at (touched_at)
) ENGINE = InnoDB;
