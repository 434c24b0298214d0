package io.idem.benchmarks.database;

import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/** The work of every way: one row. */
final class BusinessRow {

    private static final String TABLE = "CREATE TABLE bench_payment (id bigint GENERATED ALWAYS AS IDENTITY"
            + " PRIMARY KEY, reference uuid NOT NULL, amount bigint NOT NULL, note text NOT NULL)";
    private static final String INSERT = "INSERT INTO bench_payment (reference, amount, note) VALUES (?, ?, ?)";
    private static final long AMOUNT = 1250;

    private BusinessRow() {}

    static void createTable(JdbcTemplate jdbc) {
        jdbc.execute(TABLE);
    }

    /** Inserts the row; joins the transaction of the caller. */
    static void insert(JdbcTemplate jdbc, UUID reference) {
        jdbc.update(INSERT, reference, AMOUNT, "bench");
    }
}
