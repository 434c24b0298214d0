package io.idem.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.jdbc.Leases;
import io.idem.servers.PostgresServers;
import io.idem.servers.RunningPostgres;
import io.idem.servers.ServerOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A PostgreSQL that waits for a synchronous standby which is away. */
@Tag("servers")
class SynchronousStandbyTest {

    private final RunningPostgres server = PostgresServers.start(ServerOptions.own());
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final JdbcTemplate jdbc = new JdbcTemplate(source);
    private final PostgresIdempotencyStore store =
            new PostgresIdempotencyStore(source, Duration.ofSeconds(1), Runnable::run);

    @BeforeEach
    void createTables() {
        source.setUrl(server.jdbcUrl());
        source.setUser(server.user());
        source.setPassword(server.password());
        new RecordSchema(source).create();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void loseStandby() {
        setStandbys("'ghost'");
    }

    private void setStandbys(String names) {
        jdbc.execute("ALTER SYSTEM SET synchronous_standby_names = " + names);
        jdbc.execute("SELECT pg_reload_conf()");
        await().untilAsserted(() -> assertThat(
                        "'" + jdbc.queryForObject("SHOW synchronous_standby_names", String.class) + "'")
                .isEqualTo(names));
    }

    private static AcquireRequest request(String key) {
        Duration minute = Duration.ofMinutes(1);
        OwnerToken owner = OwnerToken.random(new SecureRandom());
        return new AcquireRequest(Leases.lease(key, 1).record(), owner, minute, minute, Fingerprint.NONE, 0, 0);
    }

    private Lease granted(AcquireRequest request) {
        Claim claim =
                store.acquire(List.of(request)).get(0).toCompletableFuture().join();
        return ((Claim.Granted) claim).lease();
    }

    private StoreAnswer update(RecordUpdate update) {
        return store.update(List.of(update)).get(0).toCompletableFuture().join();
    }

    @Test
    void writesWithoutTheStandbyAreUnknownHoweverOftenRepeated() {
        Lease before = granted(request("done"));
        RecordUpdate complete = new RecordUpdate.Complete(before, StoredResult.NONE);
        AcquireRequest request = request("new");
        loseStandby();

        for (int i = 0; i < 2; i++) {
            assertUnknown(() -> granted(request));
            assertUnknown(() -> update(complete));
        }

        setStandbys("''");
        assertThat(update(complete)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(granted(request).attempt()).isEqualTo(1);
        assertThat(store.inspect(before.record()).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    private static void assertUnknown(ThrowingCallable call) {
        assertThatThrownBy(call)
                .cause()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.execution()).isEqualTo(Execution.UNKNOWN))
                .hasMessageContaining("canceling wait for synchronous replication");
    }
}
