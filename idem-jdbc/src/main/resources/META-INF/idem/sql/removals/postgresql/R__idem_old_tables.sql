-- liquibase formatted sql
-- changeset idem:idem-old-tables-removal runOnChange:true

-- Removes tables of earlier versions, and what they know. Run it when no instance of an earlier version is left, and duplicates
-- of what it did come no more, see docs/inbox-outbox.md. idem itself never runs this file.

DROP TABLE IF EXISTS idem_inbox;
DROP TABLE IF EXISTS idem_inbox_failure;
DROP TABLE IF EXISTS idem_inbox_attempt;
