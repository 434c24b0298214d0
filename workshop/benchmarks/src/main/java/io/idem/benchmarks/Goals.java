package io.idem.benchmarks;

import io.idem.benchmarks.database.ClaimGrowth;
import io.idem.benchmarks.database.Comparison;
import io.idem.benchmarks.database.WayFigures;
import io.idem.benchmarks.report.Bound;
import io.idem.benchmarks.report.Goal;
import java.util.List;

/**
 * The goals of idem, each against a control of the same run. G1, G2, G3 and G6 are retired: any two scripts cost more
 * than they left.
 */
final class Goals {

    private static final WayFigures WITH_REDIS = new WayFigures("Redis + inbox");
    private static final WayFigures WITH_REDIS_AND_RESULT = new WayFigures("Redis + inbox, result of 100 bytes");
    private static final WayFigures ALONE = new WayFigures("inbox alone");
    private static final WayFigures ALONE_WITH_RESULT = new WayFigures("inbox alone, result of 100 bytes");
    private static final WayFigures POSTGRES = new WayFigures("PostgreSQL store");
    private static final WayFigures POSTGRES_AND_INBOX = new WayFigures("PostgreSQL store + inbox");
    private static final String COMMITS = "… commits per message";
    private static final String ROUND_TRIPS = "… round trips to PostgreSQL per message";
    private static final String SETS = "two SET NX PX";

    private Goals() {}

    static List<Goal> all() {
        return List.of(
                new Goal(
                        "G4",
                        "64 asynchronous callers",
                        "fresh, 64 asynchronous: IDEM",
                        "fresh, 64 asynchronous: TWO_SETS",
                        SETS,
                        Bound.atLeast(0.9)),
                new Goal(
                        "G5",
                        "Kafka batch listener of 500",
                        "Kafka batch of 500: IDEM",
                        "Kafka batch of 500: TWO_SETS",
                        "two pipelined SET per record in the same listener",
                        Bound.atLeast(0.9)),
                new Goal(
                        "G5",
                        "… on a cluster of three masters",
                        "Kafka batch of 500, cluster: IDEM",
                        "Kafka batch of 500, cluster: TWO_SETS",
                        "two pipelined SET per record in the same listener on the same cluster",
                        Bound.atLeast(0.5)),
                new Goal(
                        "G7",
                        "batch listener against single records, same thread",
                        "Kafka batch of 500: IDEM",
                        "Kafka record: IDEM",
                        "itself",
                        Bound.atLeast(10)),
                new Goal(
                        "G8",
                        "two-phase peers, one caller",
                        "fresh, 1 caller, rate: IDEM",
                        "fresh, 1 caller, rate: JDEMPOTENT",
                        "Jdempotent",
                        Bound.atLeast(1.5)),
                new Goal(
                        "G8",
                        "…",
                        "fresh, 1 caller, rate: IDEM",
                        "fresh, 1 caller, rate: REDISSON",
                        "Redisson",
                        Bound.atLeast(1.5)),
                new Goal(
                        "G8",
                        "… 16 callers",
                        "fresh, 16 callers: IDEM",
                        "fresh, 16 callers: JDEMPOTENT",
                        "Jdempotent",
                        Bound.atLeast(2)),
                new Goal(
                        "G8",
                        "… 16 callers",
                        "fresh, 16 callers: IDEM",
                        "fresh, 16 callers: REDISSON",
                        "Redisson",
                        Bound.atLeast(4)),
                new Goal(
                        "G8",
                        "… duplicates, 16 callers",
                        "duplicate, 16 callers: IDEM",
                        "duplicate, 16 callers: CAMEL",
                        "Camel",
                        Bound.atLeast(0.95)),
                new Goal(
                        "G9",
                        "bytes of a COMPLETED record",
                        "bytes per record, completed: IDEM",
                        "bytes per record: SET of the same key",
                        "SET 1 under the same key",
                        Bound.atMost(1.45)),
                new Goal(
                        "G9",
                        "… with a 200-byte result",
                        "bytes per record, completed, 200-byte result: IDEM",
                        "bytes per record, completed: IDEM",
                        "without",
                        Bound.atMost(2.4)),
                new Goal(
                        "G10",
                        "pair with many records",
                        "pair / two PING, many records: IDEM",
                        "pair / two PING, no records: IDEM",
                        "itself, on an empty server",
                        Bound.between(0.85, 1.15)),
                new Goal(
                        "G11",
                        "virtual threads, 256 callers",
                        "fresh, 256 callers, newest JDK, virtual: IDEM",
                        "fresh, 256 callers, newest JDK, platform: IDEM",
                        "platform threads",
                        Bound.atLeast(1.3)),
                new Goal(
                        "G12",
                        "replay over HTTP, p50",
                        "HTTP: duplicate p50",
                        "HTTP: bare p50",
                        "bare route",
                        Bound.atMost(1.3)),
                new Goal(
                        "G12",
                        "… Redis commands of first request and duplicate",
                        "commands per first request and its duplicate",
                        "",
                        "two and one",
                        Bound.atMost(3)),
                new Goal(
                        "G13",
                        "Kafka listener with 1 ms of work",
                        "Kafka record, 1 ms: IDEM",
                        "Kafka record, 1 ms: bare",
                        "bare listener",
                        Bound.atLeast(0.85)),
                new Goal(
                        "G13",
                        "RabbitMQ listener with 1 ms of work",
                        "AMQP message, 1 ms: IDEM",
                        "AMQP message, 1 ms: bare",
                        "bare listener",
                        Bound.atLeast(0.85)),
                new Goal(
                        "G13",
                        "Kafka listener with 1 ms of work and a row, inbox alone",
                        "Kafka record, 1 ms and a row: IDEM",
                        "Kafka record, 1 ms and a row: bare",
                        "bare listener that writes the row in a transaction",
                        Bound.atLeast(0.9)),
                new Goal(
                        "G13",
                        "RabbitMQ listener with 1 ms of work and a row, inbox alone",
                        "AMQP message, 1 ms and a row: IDEM",
                        "AMQP message, 1 ms and a row: bare",
                        "bare listener that writes the row in a transaction",
                        Bound.atLeast(0.9)),
                paired("G14", WITH_REDIS.way(), WITH_REDIS.rate(), Bound.atLeast(0.45)),
                paired("G14", "… CPU per message", WITH_REDIS.cpu(), Bound.atMost(2.2)),
                counted("G14", COMMITS, WITH_REDIS.commits(), 1, Comparison.ROW + ": 1"),
                counted("G14", ROUND_TRIPS, WITH_REDIS.roundTrips(), 3, Comparison.ROW + ": 3"),
                counted(
                        "G14",
                        ROUND_TRIPS + ", with a result",
                        WITH_REDIS_AND_RESULT.roundTrips(),
                        4,
                        Comparison.ROW + " with a result: 4"),
                paired("G15", ALONE.way(), ALONE.rate(), Bound.atLeast(0.85)),
                paired("G15", "… CPU per message", ALONE.cpu(), Bound.atMost(1.35)),
                new Goal(
                        "G15",
                        ALONE_WITH_RESULT.way(),
                        ALONE_WITH_RESULT.rate(),
                        "",
                        Comparison.ROW + " with a result, in pairs",
                        Bound.atLeast(0.85)),
                counted("G15", COMMITS, ALONE.commits(), 1, Comparison.ROW + ": 1"),
                counted("G15", ROUND_TRIPS, ALONE.roundTrips(), 3, Comparison.ROW + ": 3"),
                counted(
                        "G15",
                        ROUND_TRIPS + ", with a result",
                        ALONE_WITH_RESULT.roundTrips(),
                        4,
                        Comparison.ROW + " with a result: 4"),
                counted("G15", "… round trips of a duplicate", ALONE.duplicate(), 2, Comparison.ROW + ": 2"),
                counted(
                        "G16",
                        "PostgreSQL store, commits per message with that of the work",
                        POSTGRES.commits(),
                        3,
                        Comparison.ROW + ": 1"),
                counted(
                        "G16",
                        "PostgreSQL store + inbox, commits per message",
                        POSTGRES_AND_INBOX.commits(),
                        3,
                        Comparison.ROW + ": 1"),
                new Goal(
                        "G16",
                        "updates of idem_record that change no index, percent",
                        POSTGRES.hot(),
                        "",
                        "all its updates",
                        Bound.atLeast(95)),
                new Goal(
                        "G17",
                        "p99 of the inbox's claim with many rows while old ones are removed",
                        ClaimGrowth.MANY,
                        ClaimGrowth.FEW,
                        "with few rows",
                        Bound.atMost(1.5)),
                step("Redis time of REMEMBER, first step", "REMEMBER, first step"),
                step("… of a later step, with 1 KB kept", "REMEMBER, with 1 KB kept"),
                step("… of RECALL, with 1 KB kept", "RECALL, with 1 KB kept"));
    }

    /** Returns a goal for the server time of a script for steps. */
    private static Goal step(String what, String script) {
        String alone = "Redis time per record, 1 a call: ";
        return new Goal("G18", what, alone + script, alone + "COMPLETE", "COMPLETE", Bound.atMost(2));
    }

    /** Returns a goal for a ratio that is made of pairs of slices. */
    private static Goal paired(String id, String what, String figure, Bound bound) {
        return new Goal(id, what, figure, "", Comparison.ROW + ", in pairs", bound);
    }

    /** Returns a goal for an exact count; {@code control} says what the control has. */
    private static Goal counted(String id, String what, String figure, int most, String control) {
        return new Goal(id, what, figure, "", control, Bound.atMost(most));
    }
}
