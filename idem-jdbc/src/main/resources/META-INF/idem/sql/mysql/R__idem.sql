-- liquibase formatted sql
-- changeset idem:idem runOnChange:true

-- The table of idem. One row is one record: work that is under a lease, has taken effect, has failed or is rejected.
-- Works on MySQL 8.0.13 and newer. May be run again: what exists is left alone. All moments are in UTC.
-- The application's user needs SELECT, INSERT, UPDATE and DELETE on the table.

CREATE TABLE IF NOT EXISTS idem_record (
    -- The key: base64url of the first 128 bits of SHA-256 over tenant and key. Never the client's own text.
    key_id       varchar(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- Whose section of the key.
    scope        varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- 1 PENDING, 2 COMPLETED, 3 FAILED, 4 REJECTED. A row with 2 is done work, and becomes visible with the commit of that work.
    state        tinyint NOT NULL,
    -- Number of grants and claims, and of whole work that failed; at most 65,535; 0 after a reopen.
    attempts     int NOT NULL,
    -- How the last grant came about: 0 FRESH, 1 RETRY, 2 TAKEOVER, 3 REENTRANT.
    grant_kind   tinyint NOT NULL,
    -- Fencing token of the last grant or claim: microseconds of the database's clock, or the grant's of another store if greater.
    fence        bigint NOT NULL,
    -- Token of the attempt that has the lease or wrote the row; null after an operator's act.
    owner        varbinary(12) NULL,
    -- Digest of the payload, 16 bytes; null if none was given: matches any.
    fingerprint  varbinary(16) NULL,
    -- By the database's clock. PENDING: end of the lease. FAILED: earliest retry. COMPLETED, REJECTED: when.
    at           datetime(6) NOT NULL,
    -- From here on the record counts as absent, and clean-up deletes it.
    expires_at   datetime(6) NOT NULL,
    -- When the relay sends the messages unless they were confirmed before; null if it need not. Such rows are never cleaned.
    relay_at     datetime(6) NULL,
    -- COMPLETED: what duplicates are answered with, and the codec that wrote it; null for work without a result.
    -- PENDING, FAILED: idem.again while the messages of work that sent its own message back are not confirmed.
    result_codec varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    result       longblob NULL,
    -- REJECTED: why.
    reason       text CHARACTER SET utf8mb4 NULL,
    -- Steps that earlier attempts have done, or begun (a name with a question mark): fence, codec and result in base64; null for none.
    steps        json NULL,
    -- Messages of the work, sent after the commit; null for none. The first byte is the format's version.
    outgoing     longblob NULL,
    PRIMARY KEY (key_id, scope),
    -- For clean-up.
    INDEX idem_record_expires_at (expires_at),
    -- The relay looks for rows of its scopes that are due.
    INDEX idem_record_relay_at (scope, relay_at)
) ENGINE = InnoDB;
