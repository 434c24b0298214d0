package io.idem.benchmarks.database;

import io.idem.benchmarks.Servers;
import java.util.Map;

/**
 * Work with two steps and a row of its own in the last phase, beside the same work with tables of its own. No transaction is open
 * while the provider is called, on either side.
 *
 * @param alone whether the inbox is the store
 */
record StepsBeforeRow(boolean alone) implements Comparison {

    private static final String SCHEMA = "idem.jdbc.initialize-schema";
    private static final String TABLES = "two calls remembered by hand in a table, and a row";

    @Override
    public String name() {
        return "two steps, " + (alone ? "inbox alone" : "Redis + inbox");
    }

    @Override
    public String control() {
        return TABLES + (alone ? " (inbox alone)" : "");
    }

    @Override
    public String remark() {
        return "saves you from: two workers that call at once, a late write of a paused one, the question after a time-out";
    }

    @Override
    public Way openControl(Place place, WayDatabase database) {
        return new HandWrittenStepRows(database, new Provider());
    }

    @Override
    public Way open(Place place, WayDatabase database) {
        Map<String, Object> settings =
                place.settings(alone ? Map.of("idem.store", "inbox", SCHEMA, "always") : Map.of(SCHEMA, "always"));
        if (alone) {
            settings.remove(Servers.REDIS_URL);
        }
        return new TwoStepsAndRow(database, settings, new Provider());
    }
}
