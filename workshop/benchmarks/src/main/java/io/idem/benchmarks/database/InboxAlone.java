package io.idem.benchmarks.database;

import io.idem.benchmarks.Servers;
import java.util.Map;

/** The inbox without any other store. */
record InboxAlone(int resultBytes) implements Comparison {

    static final String NAME = "inbox alone";

    private static final Map<String, Object> SETTINGS =
            Map.of("idem.store", "inbox", "idem.jdbc.initialize-schema", "always");

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
        return "saves you from: code of your own for results, retries, rejections, other payloads, clean-up and metrics";
    }

    @Override
    public Way openControl(Place place, WayDatabase database) throws Exception {
        return new HandWrittenRow(database, resultBytes);
    }

    @Override
    public Way open(Place place, WayDatabase database) {
        Map<String, Object> settings = place.settings(SETTINGS);
        settings.remove(Servers.REDIS_URL);
        return EngineWay.withInbox(database, settings, resultBytes);
    }
}
