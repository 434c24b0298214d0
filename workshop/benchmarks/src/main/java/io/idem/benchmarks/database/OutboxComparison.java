package io.idem.benchmarks.database;

import java.time.Duration;
import java.util.Map;

/** The outbox with Redis as the store, beside an outbox table with a poller. */
record OutboxComparison() implements Comparison {

    private static final Duration SLICE = Duration.ofSeconds(2);
    private static final int SLICES = 10;

    @Override
    public String name() {
        return "Redis + outbox";
    }

    @Override
    public String control() {
        return "a hand-written outbox";
    }

    @Override
    public String remark() {
        return "saves you from: two workers at once, answers for retries, a poller of your own";
    }

    @Override
    public Way openControl(Place place, WayDatabase database) throws Exception {
        return new HandWrittenOutbox(database, place.kafka());
    }

    @Override
    public Way open(Place place, WayDatabase database) throws Exception {
        Map<String, Object> settings = place.settings(Map.of(
                "idem.jdbc.initialize-schema",
                "always",
                "spring.kafka.bootstrap-servers",
                place.kafka().bootstrapServers()));
        return new OutboxWay(new Arrivals(place.kafka()), database, settings);
    }

    @Override
    public PairPlan plan(PairPlan usual) {
        return usual.withSlices(SLICE, SLICES);
    }
}
