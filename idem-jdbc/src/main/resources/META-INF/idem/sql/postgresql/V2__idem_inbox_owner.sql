-- Second version of the inbox: who wrote a row, and a quick way to the greatest fence.
-- May be run again. The column takes no time; on a large table create the index CONCURRENTLY before running this.

-- Token of the attempt that wrote the row, so that it recognises its own commit; empty in rows of the first version.
ALTER TABLE idem_inbox ADD COLUMN IF NOT EXISTS owner bytea NOT NULL DEFAULT '';

-- Grants begin above the greatest fence.
CREATE INDEX IF NOT EXISTS idem_inbox_fence ON idem_inbox (fence);
