-- Second version of the inbox: rows whose messages are sent by the relay, see docs/outbox.md. May be run again.

-- When the relay sends the messages of the row unless they were confirmed before, in UTC; null if it need not.
ALTER TABLE idem_inbox ADD COLUMN IF NOT EXISTS relay_at datetime(6) NULL;

-- The relay looks for rows of its scopes that are due.
CREATE INDEX IF NOT EXISTS idem_inbox_relay_at ON idem_inbox (scope, relay_at);
