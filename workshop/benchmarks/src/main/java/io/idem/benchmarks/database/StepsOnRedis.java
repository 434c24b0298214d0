package io.idem.benchmarks.database;

import java.util.Map;

/** Work with two steps on Redis, beside the same work with a memory of its own in a hash. Needs no database. */
record StepsOnRedis() implements Comparison {

    private static final String NAME = "two steps, Redis";
    private static final String HASH = "two calls remembered by hand in a hash";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String control() {
        return HASH;
    }

    @Override
    public String remark() {
        return "saves you from: a paused worker's late write, steps of an earlier record, the question after a time-out";
    }

    @Override
    public Way openControl(Place place, WayDatabase database) {
        return new HandWrittenSteps(place.servers().redis().uri(), new Provider());
    }

    @Override
    public Way open(Place place, WayDatabase database) {
        return new TwoSteps(place.settings(Map.of()), new Provider());
    }
}
