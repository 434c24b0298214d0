package io.idem.benchmarks.database;

import java.util.Map;

/** Redis as the store, with the inbox. */
record RedisAndInbox(int resultBytes) implements Comparison {

    static final String NAME = "Redis + inbox";

    private static final Map<String, Object> SETTINGS = Map.of("idem.jdbc.initialize-schema", "always");

    @Override
    public String name() {
        return NAME + Results.suffix(resultBytes);
    }

    @Override
    public String control() {
        return ROW + Results.suffix(resultBytes);
    }

    @Override
    public String remark() {
        return "saves you from: two workers at once, a crash between effect and record, a limit of attempts that misses crashes";
    }

    @Override
    public Way openControl(Place place, WayDatabase database) throws Exception {
        return new HandWrittenRow(database, resultBytes);
    }

    @Override
    public Way open(Place place, WayDatabase database) {
        return EngineWay.withInbox(database, place.settings(SETTINGS), resultBytes);
    }
}
