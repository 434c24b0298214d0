package io.idem.test.steps;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import io.idem.test.jdbc.PostgresStoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A server that holds records and steps. Closing removes what the test has made there. */
final class StepServer implements AutoCloseable {

    private static final String NO_STEPS = "";

    /** The stores whose steps survive a process. */
    enum Kind {
        REDIS,
        POSTGRES,
        /** Redis, and an inbox on PostgreSQL that keeps the steps. */
        REDIS_AND_INBOX,
        /** An inbox on PostgreSQL that is the store, too. */
        INBOX_ALONE;

        StepServer start() {
            return switch (this) {
                case REDIS -> redis();
                case POSTGRES -> postgres();
                case REDIS_AND_INBOX -> redisAndInbox();
                case INBOX_ALONE -> inboxAlone();
            };
        }

        boolean hasInbox() {
            return this == REDIS_AND_INBOX || this == INBOX_ALONE;
        }

        /** Returns the points that work comes to. */
        List<Boundary> boundaries() {
            return Stream.of(Boundary.values())
                    .filter(boundary -> hasInbox() || boundary != Boundary.IN_TRANSACTION)
                    .filter(boundary -> this != INBOX_ALONE || boundary != Boundary.BEFORE_COMPLETE)
                    .toList();
        }
    }

    private final String address;
    private final Workplace place;
    private final Function<RecordId, String> steps;
    private final Runnable end;

    private StepServer(String address, Workplace place, Function<RecordId, String> steps, Runnable end) {
        this.address = address;
        this.place = place;
        this.steps = steps;
        this.end = end;
    }

    private static StepServer redis() {
        RedisStoreHarness harness = new RedisStoreHarness();
        return new StepServer(
                Kind.REDIS + " " + harness.server().uri(),
                new Workplace(harness.store(), Optional.empty()),
                record -> stepsInRedis(harness, record),
                harness::stop);
    }

    private static String stepsInRedis(RedisStoreHarness harness, RecordId record) {
        String name = "idem:{" + record.key().id() + "}:" + record.scope() + "/steps";
        byte[] found = harness.redis().get(name.getBytes(StandardCharsets.US_ASCII));
        return found == null ? NO_STEPS : "0x" + HexFormat.of().formatHex(found);
    }

    private static StepServer postgres() {
        PostgresStoreHarness harness = new PostgresStoreHarness();
        return new StepServer(
                Kind.POSTGRES + " " + address(harness),
                new Workplace(harness.store(), Optional.empty()),
                record -> stepsInPostgres(harness, record),
                harness::stop);
    }

    private static String address(PostgresStoreHarness harness) {
        RunningPostgres server = SharedServers.postgres();
        return String.join(" ", server.jdbcUrl(), server.user(), server.password(), harness.schema());
    }

    private static String stepsInPostgres(PostgresStoreHarness harness, RecordId record) {
        String found = harness.jdbc()
                .queryForObject(
                        "SELECT steps::text FROM idem_record WHERE key_id = ? AND scope = ?",
                        String.class,
                        record.key().id(),
                        record.scope().name());
        return found == null ? NO_STEPS : found;
    }

    private static StepServer redisAndInbox() {
        RedisStoreHarness redis = new RedisStoreHarness();
        PostgresStoreHarness database = databaseOfInbox();
        return new StepServer(
                Kind.REDIS_AND_INBOX + " " + redis.server().uri() + " " + address(database),
                Workplace.withInbox(redis.store(), database.dataSource()),
                record -> stepsInRedis(redis, record) + stepsOfInbox(database, record),
                () -> {
                    redis.stop();
                    database.stop();
                });
    }

    private static StepServer inboxAlone() {
        PostgresStoreHarness database = databaseOfInbox();
        return new StepServer(
                Kind.INBOX_ALONE + " " + address(database),
                Workplace.inboxAlone(database.dataSource()),
                record -> stepsOfInbox(database, record),
                database::stop);
    }

    private static PostgresStoreHarness databaseOfInbox() {
        PostgresStoreHarness database = new PostgresStoreHarness();
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        database.jdbc().execute("CREATE TABLE ledger (key text NOT NULL, entry text NOT NULL)");
        return database;
    }

    /** Returns the steps of the row of a record, also if they are none: the row itself must go. */
    private static String stepsOfInbox(PostgresStoreHarness database, RecordId record) {
        return String.join(
                " ",
                database.jdbc()
                        .queryForList(
                                "SELECT steps::text FROM idem_record WHERE steps IS NOT NULL AND key_id = ? AND scope = ?",
                                String.class,
                                record.key().id(),
                                record.scope().name()));
    }

    /** Returns the address in the form that {@link Workplace#at} takes: the kind and the addresses of its servers. */
    String address() {
        return address;
    }

    Workplace place() {
        return place;
    }

    boolean hasInbox() {
        return place.local().isPresent();
    }

    /** Returns what the work under a key has written to the ledger. */
    List<String> ledger(String key) {
        return ledger().queryForList("SELECT entry FROM ledger WHERE key = ?", String.class, key);
    }

    /** Returns the number of records of which the inbox keeps steps or a lease. */
    int rowsOfAttempts() {
        return ledger().queryForList("SELECT key_id FROM idem_record WHERE steps IS NOT NULL").size();
    }

    private JdbcTemplate ledger() {
        return place.local().orElseThrow().ledger();
    }

    /** Returns the state of a record. */
    Optional<RecordState> state(RecordId record) {
        return place.store().inspect(record).map(RecordSnapshot::state);
    }

    /** Returns the stored bytes of the steps of a record; empty if there are none. */
    String steps(RecordId record) {
        return steps.apply(record);
    }

    boolean hasNoSteps(RecordId record) {
        return steps(record).equals(NO_STEPS);
    }

    @Override
    public void close() {
        end.run();
    }
}
