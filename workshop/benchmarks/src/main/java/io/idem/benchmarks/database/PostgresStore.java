package io.idem.benchmarks.database;

import io.idem.benchmarks.report.Figures;
import java.util.Map;

/** PostgreSQL as the store, with or without the inbox. Without it the work commits its row by itself. */
record PostgresStore(boolean inbox) implements Comparison {

    private static final Map<String, Object> SETTINGS = Map.of(
            "idem.store", "postgresql",
            "idem.postgresql.initialize-schema", "always",
            "idem.jdbc.initialize-schema", "always");

    @Override
    public String name() {
        return inbox ? "PostgreSQL store + inbox" : "PostgreSQL store";
    }

    @Override
    public String remark() {
        return inbox
                ? "saves you from: the same, and Redis"
                : "saves you from: two workers at once, but not from a crash between effect and record";
    }

    @Override
    public Way open(Place place, WayDatabase database) {
        Map<String, Object> settings = place.settings(SETTINGS);
        return inbox ? EngineWay.withInbox(database, settings, 0) : EngineWay.withoutInbox(database, settings);
    }

    @Override
    public void addFigures(Figures figures, Way way, WayDatabase database) throws Exception {
        figures.add(new WayFigures(name()).hot(), "%", database.hotShare(way.pools(), "idem_record"));
    }
}
