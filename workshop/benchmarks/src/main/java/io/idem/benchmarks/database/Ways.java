package io.idem.benchmarks.database;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import java.util.List;
import java.util.stream.Stream;

/** The ways that the parts of a run measure. */
public final class Ways {

    private static final List<Comparison> INBOX = List.of(new RedisAndInbox(0), new RedisAndInbox(Results.BYTES));
    private static final List<Comparison> INBOX_ALONE = List.of(new InboxAlone(0), new InboxAlone(Results.BYTES));
    private static final List<Comparison> POSTGRESQL = List.of(new PostgresStore(false), new PostgresStore(true));

    private static final List<Comparison> ZOOKEEPER = List.of(new ZooKeeperStore());

    private static final List<Comparison> STEPS =
            List.of(new StepsOnRedis(), new StepsBeforeRow(false), new StepsBeforeRow(true));

    private static final List<Comparison> OUTBOX = List.of(new OutboxComparison());
    private static final List<Comparison> INTAKE = List.of(new IntakeComparison());

    private Ways() {}

    /** Returns all comparisons in the order of tables. */
    public static List<Comparison> all() {
        return Stream.of(INBOX, INBOX_ALONE, POSTGRESQL, ZOOKEEPER, STEPS, OUTBOX, INTAKE, Peer.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the suite of the inbox behind Redis. */
    public static Suite inbox(Servers servers, PairPlan plan) {
        return new WaySuite("inbox", servers, plan, INBOX);
    }

    /** Returns the suite of the inbox without another store. */
    public static Suite inboxAlone(Servers servers, PairPlan plan) {
        return new WaySuite("inbox-alone", servers, plan, INBOX_ALONE);
    }

    /** Returns the suite of PostgreSQL as the store, with and without the inbox. */
    public static Suite postgresql(Servers servers, PairPlan plan) {
        return new WaySuite("postgresql", servers, plan, POSTGRESQL);
    }

    /** Returns the suite of ZooKeeper as the store. */
    public static Suite zooKeeper(Servers servers, PairPlan plan) {
        return new WaySuite("zookeeper", servers, plan, ZOOKEEPER);
    }

    /** Returns the suite of work with steps. */
    public static Suite steps(Servers servers, PairPlan plan) {
        return new WaySuite("steps", servers, plan, STEPS);
    }

    public static Suite outbox(Servers servers, PairPlan plan) {
        return new WaySuite("outbox", servers, plan, OUTBOX);
    }

    public static Suite intake(Servers servers, PairPlan plan) {
        return new WaySuite("intake", servers, plan, INTAKE);
    }

    public static Suite peers(Servers servers, PairPlan plan) {
        return new WaySuite("peers", servers, plan, Peer.all());
    }
}
