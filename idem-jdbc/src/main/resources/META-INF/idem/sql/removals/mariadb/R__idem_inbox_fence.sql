-- liquibase formatted sql
-- changeset idem:idem-inbox-fence-removal runOnChange:true

-- Removes an index of earlier versions, which asked for the greatest fence before every grant. Run it when no instance
-- of an earlier version is left: those would be slow without it, not wrong. idem itself never runs this file.

DROP INDEX IF EXISTS idem_inbox_fence ON idem_inbox;
