package io.idem.demo.supervisor;

import io.idem.demo.report.Consumer;
import io.idem.demo.report.Effect;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Reads what took effect, straight from the database. Thread-safe. */
final class Witness {

    private final JdbcClient jdbc;
    private final String run;

    /** {@code run} starts the keys of the run that counts. */
    Witness(JdbcConnectionDetails details, String run) {
        DriverManagerDataSource database = new DriverManagerDataSource(details.getJdbcUrl());
        database.setUsername(details.getUsername());
        database.setPassword(details.getPassword());
        this.jdbc = JdbcClient.create(database);
        this.run = run;
    }

    /** The effects of one consumer, in the order of their writing. */
    List<Effect> effects(Consumer consumer) {
        String ofKind = consumer.table().equals("ledger") ? "kind = :kind AND " : "";
        return jdbc.sql("SELECT tenant, idempotency_key AS key, amount FROM " + consumer.table() + " WHERE " + ofKind
                        + "idempotency_key LIKE :run ORDER BY id")
                .param("run", run + "-%")
                .param("kind", consumer.kind().name().toLowerCase(Locale.ROOT))
                .query(Effect.class)
                .list();
    }

    String serverVersion() {
        return jdbc.sql("SHOW server_version").query(String.class).single();
    }
}
