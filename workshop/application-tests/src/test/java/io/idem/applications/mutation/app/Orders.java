package io.idem.applications.mutation.app;

import java.util.Queue;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** The work: it writes a row and sends an event, and fails on the first runs of an order whose name says so. */
final class Orders {

    private static final int FAILURES = 3;

    private final String table;
    private final Queue<String> runs;
    private final ObjectProvider<JdbcTemplate> database;

    /**
     * Makes the work.
     *
     * @param table gets a row of each run
     * @param runs each run of an order adds its name
     */
    Orders(String table, Queue<String> runs, ObjectProvider<JdbcTemplate> database) {
        this.table = table;
        this.runs = runs;
        this.database = database;
    }

    void place(String order, Consumer<String> events) {
        runs.add(order);
        long run = runs.stream().filter(order::equals).count();
        String done = order + ", run " + run;
        database.getObject().update("insert into " + table + " values (?)", done);
        events.accept(done);
        if (run <= FAILURES && order.startsWith("failing")) {
            throw new IllegalStateException("The warehouse does not answer");
        }
    }
}
