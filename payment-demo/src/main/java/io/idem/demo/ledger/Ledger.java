package io.idem.demo.ledger;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Writes movements of money. Takes part in the caller's transaction. */
@Component
public class Ledger {

    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;

    Ledger(JdbcClient jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    /** Adds a row, whatever is there already: nothing here looks for duplicates. */
    public void write(LedgerEntry entry) {
        jdbc.sql("""
                        INSERT INTO ledger
                            (operation_id, kind, tenant, idempotency_key, account, amount, currency, reference, attempt, fence)
                        VALUES
                            (:operationId, :kind, :tenant, :key, :account, :amount, :currency, :reference, :attempt, :fence)
                        """)
                .param("operationId", entry.key().id())
                .param("kind", entry.kind())
                .param("tenant", entry.key().tenant())
                .param("key", entry.key().value())
                .param("account", entry.account())
                .param("amount", entry.amount())
                .param("currency", entry.currency())
                .param("reference", entry.reference())
                .param("attempt", entry.attempt())
                .param("fence", entry.fence())
                .update();
        events.publishEvent(entry);
    }
}
