package io.idem.benchmarks.database;

import java.time.Duration;
import java.util.List;

/**
 * A peer from Maven Central, used as its own documentation shows.
 *
 * @param name the name in figures and tables
 * @param gap the faults that it does not protect against
 * @param slow whether it needs longer slices than the others, because it fetches its work in large batches
 * @param opening opens it
 */
record Peer(String name, String gap, boolean slow, Opening opening) implements Comparison {

    private static final Duration LONG_SLICE = Duration.ofSeconds(3);
    private static final int LONG_SLICES = 5;

    interface Opening {

        Way open(Place place, WayDatabase database) throws Exception;
    }

    static List<Comparison> all() {
        return List.of(
                new Peer(
                        "Kafka, exactly-once",
                        "effects outside of Kafka, such as a row; a message that its producer sent twice",
                        false,
                        (place, unused) -> new KafkaExactlyOnce(place.kafka())),
                new Peer(
                        "JobRunr",
                        "a crash after the effect, which makes the job run again; keeps no results",
                        true,
                        (place, database) -> new JobRunrWay(database)),
                new Peer(
                        "Spring Modulith",
                        "an event that is published twice; a crash after the effect of a listener without a database",
                        false,
                        (place, database) -> new ModulithWay(database)));
    }

    @Override
    public String remark() {
        return "does not protect against: " + gap;
    }

    @Override
    public boolean own() {
        return false;
    }

    @Override
    public Way open(Place place, WayDatabase database) throws Exception {
        return opening.open(place, database);
    }

    @Override
    public PairPlan plan(PairPlan usual) {
        return slow ? usual.withSlices(LONG_SLICE, LONG_SLICES) : usual;
    }
}
