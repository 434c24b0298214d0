-- Several processes may start at the same time: one of them creates the tables, the others wait and find them.
SELECT pg_advisory_lock(7300140001);

-- No unique constraint on any key: these tables are to show what happened, not to prevent it.
CREATE TABLE IF NOT EXISTS ledger (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    written_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    operation_id    text NOT NULL,
    kind            text NOT NULL,
    tenant          text NOT NULL,
    idempotency_key text NOT NULL,
    account         text NOT NULL,
    amount          bigint NOT NULL,
    currency        text NOT NULL,
    reference       text NOT NULL,
    attempt         integer NOT NULL,
    fence           bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS ledger_operation ON ledger (operation_id);

CREATE TABLE IF NOT EXISTS receipts (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    written_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    payment_id      text NOT NULL,
    tenant          text NOT NULL,
    idempotency_key text NOT NULL,
    amount          bigint NOT NULL,
    text            text NOT NULL
);

CREATE TABLE IF NOT EXISTS risk_checks (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    written_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    payment_id      text NOT NULL,
    tenant          text NOT NULL,
    idempotency_key text NOT NULL,
    amount          bigint NOT NULL,
    rating          text NOT NULL
);

SELECT pg_advisory_unlock(7300140001);
