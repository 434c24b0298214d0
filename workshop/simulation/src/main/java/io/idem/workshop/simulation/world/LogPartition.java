package io.idem.workshop.simulation.world;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A partition of the log, with its records in order and the committed offset of the group. */
final class LogPartition {

    private final int number;
    private final List<String> keys = new ArrayList<>();
    private int committed;
    private @Nullable LogConsumer owner;

    LogPartition(int number) {
        this.number = number;
    }

    void append(String key) {
        keys.add(key);
    }

    boolean has(int offset) {
        return offset < keys.size();
    }

    String key(int offset) {
        return keys.get(offset);
    }

    int committed() {
        return committed;
    }

    void commit(int offset) {
        committed = offset;
    }

    boolean isDone() {
        return committed == keys.size();
    }

    void assign(@Nullable LogConsumer to) {
        owner = to;
    }

    boolean isOf(LogConsumer consumer) {
        return owner == consumer;
    }

    @Override
    public String toString() {
        return "partition " + number;
    }
}
