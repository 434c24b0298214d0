-- liquibase formatted sql
-- changeset idem:idem-inbox-fence-removal runOnChange:true

-- Removes an index of earlier versions, which asked for the greatest fence before every grant. Run it when no instance
-- of an earlier version is left: those would be slow without it, not wrong. idem itself never runs this file.
-- It waits for open transactions and blocks the table for a moment; by hand, DROP INDEX CONCURRENTLY does neither.

DROP INDEX IF EXISTS idem_inbox_fence;
