package io.idem.workshop.child;

import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.UnknownOutcome;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks up in the ledger whether a dead owner had made its payment. */
final class LedgerReconciler implements Reconciler {

    private final JdbcClient jdbc;

    LedgerReconciler(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Reconciliation reconcile(UnknownOutcome attempt) {
        long rows = jdbc.sql("SELECT count(*) FROM ledger WHERE operation_id = :id")
                .param("id", attempt.key().id())
                .query(Long.class)
                .single();
        return rows == 0 ? Reconciliation.notDone() : Reconciliation.done();
    }
}
