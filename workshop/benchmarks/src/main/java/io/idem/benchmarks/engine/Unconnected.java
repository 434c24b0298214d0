package io.idem.benchmarks.engine;

import io.idem.benchmarks.contestant.Contestant;

/** A placeholder before the set-up of a measurement. */
enum Unconnected implements Contestant {
    CONTESTANT;

    @Override
    public Object fresh(String key) {
        throw new IllegalStateException("Not connected");
    }

    @Override
    public Object duplicate(String key) {
        throw new IllegalStateException("Not connected");
    }

    @Override
    public void close() {}
}
