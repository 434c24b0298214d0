package io.idem.test.steps;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.idem.test.jdbc.PostgresStoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/** A server that holds records and steps. Closing removes what the test has made there. */
final class StepServer implements AutoCloseable {

    private static final String NO_STEPS = "";

    /** The stores whose steps survive a process. */
    enum Kind {
        REDIS,
        POSTGRES;

        StepServer start() {
            return switch (this) {
                case REDIS -> redis();
                case POSTGRES -> postgres();
            };
        }
    }

    private final String address;
    private final IdempotencyStore store;
    private final Function<RecordId, String> steps;
    private final Runnable end;

    private StepServer(String address, IdempotencyStore store, Function<RecordId, String> steps, Runnable end) {
        this.address = address;
        this.store = store;
        this.steps = steps;
        this.end = end;
    }

    private static StepServer redis() {
        RedisStoreHarness harness = new RedisStoreHarness();
        return new StepServer(
                harness.server().uri(), harness.store(), record -> stepsInRedis(harness, record), harness::stop);
    }

    private static String stepsInRedis(RedisStoreHarness harness, RecordId record) {
        String name = "idem:{" + record.key().id() + "}:" + record.scope() + "/steps";
        byte[] found = harness.redis().get(name.getBytes(StandardCharsets.US_ASCII));
        return found == null ? NO_STEPS : "0x" + HexFormat.of().formatHex(found);
    }

    private static StepServer postgres() {
        RunningPostgres server = SharedServers.postgres();
        PostgresStoreHarness harness = new PostgresStoreHarness();
        return new StepServer(
                String.join(" ", server.jdbcUrl(), server.user(), server.password(), harness.schema()),
                harness.store(),
                record -> stepsInPostgres(harness, record),
                harness::stop);
    }

    private static String stepsInPostgres(PostgresStoreHarness harness, RecordId record) {
        String found = harness.jdbc()
                .queryForObject(
                        "SELECT steps::text FROM idem_record WHERE key_id = ? AND scope = ?",
                        String.class,
                        record.key().id(),
                        record.scope().name());
        return "{}".equals(found) ? NO_STEPS : String.valueOf(found);
    }

    /** Returns the address in the form that {@link StepWorkerMain} takes. */
    String address() {
        return address;
    }

    IdempotencyStore store() {
        return store;
    }

    /** Returns the state of a record. */
    Optional<RecordState> state(RecordId record) {
        return store.inspect(record).map(RecordSnapshot::state);
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
