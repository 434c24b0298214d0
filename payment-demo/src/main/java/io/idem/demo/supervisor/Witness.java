package io.idem.demo.supervisor;

import io.idem.demo.report.Consumer;
import io.idem.demo.report.Effect;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Reads the effects of operations from the database. Thread-safe. */
final class Witness {

    private final JdbcClient jdbc;
    private final String pattern;

    private Witness(JdbcConnectionDetails details, String pattern) {
        DriverManagerDataSource database = new DriverManagerDataSource(details.getJdbcUrl());
        database.setUsername(details.getUsername());
        database.setPassword(details.getPassword());
        this.jdbc = JdbcClient.create(database);
        this.pattern = pattern;
    }

    /** Creates a witness of the planned operations, whose keys start with {@code run}. */
    static Witness ofStory(JdbcConnectionDetails details, String run) {
        return new Witness(details, run + "-%");
    }

    /** Creates a witness of planned operations and of visitors, whose keys contain {@code run}. */
    static Witness ofAll(JdbcConnectionDetails details, String run) {
        return new Witness(details, "%" + run + "-%");
    }

    /** The effects of one consumer, in the order of their writing. */
    List<Effect> effects(Consumer consumer) {
        String ofKind = consumer.table().equals("ledger") ? "kind = :kind AND " : "";
        return jdbc.sql("SELECT tenant, idempotency_key AS key, amount FROM " + consumer.table() + " WHERE " + ofKind
                        + "idempotency_key LIKE :pattern ORDER BY id")
                .param("pattern", pattern)
                .param("kind", consumer.kind().name().toLowerCase(Locale.ROOT))
                .query(Effect.class)
                .list();
    }

    String serverVersion() {
        return jdbc.sql("SHOW server_version").query(String.class).single();
    }
}
