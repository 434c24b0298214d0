package io.idem.benchmarks.listener;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Work that waits for a millisecond and writes a row in a transaction, its own or that of the inbox. */
final class MillisecondAndRow {

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    MillisecondAndRow(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
        jdbc.execute("CREATE TABLE IF NOT EXISTS bench_work (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                + " amount bigint NOT NULL)");
    }

    void work() {
        transaction.executeWithoutResult(status -> {
            Millisecond.work();
            jdbc.update("INSERT INTO bench_work (amount) VALUES (?)", 1250);
        });
    }
}
