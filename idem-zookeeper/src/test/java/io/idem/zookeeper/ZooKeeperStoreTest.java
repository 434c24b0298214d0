package io.idem.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.ConfigurationException;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.internal.record.Look;
import io.idem.internal.record.Moment;
import io.idem.internal.record.Register.Written;
import io.idem.internal.record.SeenRecord;
import io.idem.internal.record.StoredRecord;
import io.idem.servers.SharedServers;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.Stages;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cases beyond the contract: lost answers, ended sessions, foreign nodes, and records that do not fit a node. */
@Tag("servers")
class ZooKeeperStoreTest {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final StoredResult RECEIPT = StoredResult.of("text", new byte[] {1});

    private final ZooKeeperStoreHarness harness = new ZooKeeperStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final RecordId record =
            new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));
    private final String name = Layout.name(record.key(), "payments");

    @AfterEach
    void stop() {
        harness.close();
        harness.stop();
    }

    private AcquireRequest request() {
        return Competitor.request(record, Duration.ofMinutes(10), new SecureRandom());
    }

    private Lease granted(AcquireRequest request) {
        Claim claim = store.acquire(request);
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return ((Claim.Granted) claim).lease();
    }

    private static void assertUnknown(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.execution()).isEqualTo(Execution.UNKNOWN));
    }

    @Test
    void somethingElseUnderTheNameIsReportedAndLeftAsItIs() {
        Lease lease = granted(request());
        byte[] foreign = "locked by hand".getBytes(StandardCharsets.UTF_8);
        harness.write(name, foreign);

        assertThatThrownBy(() -> store.acquire(request())).isInstanceOf(UnreadableRecordException.class);
        assertThatThrownBy(() -> store.complete(lease, RECEIPT)).isInstanceOf(UnreadableRecordException.class);
        assertThatThrownBy(() -> store.inspect(record)).isInstanceOf(UnreadableRecordException.class);

        assertThat(harness.read(name).orElseThrow().data()).isEqualTo(foreign);
        assertThat(new ZooKeeperRecordLister(harness.connection())
                        .list(RecordLister.START, 10)
                        .records())
                .isEmpty();
    }

    @Test
    void aGrantWhoseAnswerWasLostIsRecognisedWhenItIsAskedForAgain() {
        AcquireRequest request = request();
        try (TcpProxy proxy = proxy();
                ZooKeeperConnection behindProxy = behind(proxy)) {
            String parent = Layout.parentOf(behindProxy.layout().record(record));
            var unused = ZooKeeperConnection.await(
                    "a test", harness.connection().session().createIfMissing(parent));
            behindProxy.check();
            IdempotencyStore distant = new ZooKeeperIdempotencyStore(behindProxy);
            CompletableFuture<Void> lost = proxy.loseReplyTo(record.key().id());

            assertUnknown(() -> distant.acquire(request));
            assertThat(lost).isDone();

            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(() -> assertThat(distant.acquire(request))
                            .isInstanceOfSatisfying(Claim.Granted.class, again -> {
                                assertThat(again.kind()).isEqualTo(GrantKind.REENTRANT);
                                assertThat(again.lease().attempt()).isOne();
                            }));
        }
    }

    private static TcpProxy proxy() {
        URI server = URI.create("zookeeper://" + SharedServers.zooKeeper().connectString());
        return TcpProxy.to(server.getHost(), server.getPort());
    }

    private ZooKeeperConnection behind(TcpProxy proxy) {
        return ZooKeeperStoreHarness.connection(
                proxy.host() + ":" + proxy.port(), harness.connection().layout().root());
    }

    @Test
    void theEndOfASessionEndsNoLease() {
        Lease lease = granted(request());
        endSession();

        assertThat(store.acquire(request())).isInstanceOf(Claim.InProgress.class);
        assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    private void endSession() {
        ZooKeeper session = harness.connection().client();
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            endSessionOf(session);
            return !session.getState().isAlive();
        });
    }

    /** Takes part in a session from elsewhere and ends it; a session that has ended already is left alone. */
    private static void endSessionOf(ZooKeeper client) throws Exception {
        CompletableFuture<KeeperState> state = new CompletableFuture<>();
        try (ZooKeeper same = new ZooKeeper(
                SharedServers.zooKeeper().connectString(),
                client.getSessionTimeout(),
                event -> state.complete(event.getState()),
                client.getSessionId(),
                client.getSessionPasswd())) {
            KeeperState unused = state.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void whatWasReadInASessionThatHasEndedIsNotBuiltOn() {
        ZooKeeperRegister register = register();
        Lease lease = granted(request());
        Look look = register.look(record).join();
        endSession();

        CompletableFuture<Written> late =
                register.write(record, look, found(look).stored());

        assertNotExecuted(late);
        assertNotExecuted(register.create(
                new RecordId(record.key(), new Scope("refunds")), found(look).stored()));
        assertNotExecuted(register.look(record));
        assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        assertThat(harness.names()).containsExactly(name);
    }

    private ZooKeeperRegister register() {
        return new ZooKeeperRegister(harness.connection().session(), new LeaderClock(MonotonicClock.SYSTEM), true);
    }

    private static SeenRecord found(Look look) {
        return requireNonNull(look.found());
    }

    private static void assertNotExecuted(CompletableFuture<?> call) {
        assertThat(call)
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .havingCause()
                .satisfies(failure -> assertThat(Failures.ofWrite("a call", failure))
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                unavailable ->
                                        assertThat(unavailable.execution()).isEqualTo(Execution.NOT_EXECUTED)));
    }

    @Test
    void aRecordThatWasDeletedAndMadeAgainIsNotOverwrittenByALateGrant() {
        granted(request());
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN));
        ZooKeeperRegister register = register();
        Look look = register.look(record).join();
        assertThat(new ZooKeeperRecordCleaner(harness.connection()).clean(Duration.ZERO))
                .isOne();
        Lease other = granted(request());
        assertThat(store.complete(other, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        assertThat(harness.read(name).orElseThrow().stat().getVersion())
                .as("the version of the deleted node, once more")
                .isEqualTo(found(look).version());

        Written late = register.write(record, look, found(look).stored()).join();

        assertThat(late).isEqualTo(Written.refused(null));
        assertThat(store.acquire(request())).isEqualTo(new Claim.Replay(RECEIPT, other.fence()));
    }

    @Test
    void aNewProcessDoesNotTakeTheTimeOfAnOldWriteForThePresent() {
        Lease lease = granted(request());
        assertThat(store.complete(lease, RECEIPT)).isInstanceOf(StoreAnswer.Ok.class);
        StoredRecord old =
                harness.read(name).orElseThrow().record().orElseThrow().stored();
        harness.write(name, RecordBytes.encode(keptFor(old, 1)));
        await().until(() -> harness.store().inspect(record).isEmpty());

        Claim claim = new ZooKeeperIdempotencyStore(harness.connection()).acquire(request());

        assertThat(claim)
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.kind()).isEqualTo(GrantKind.FRESH));
    }

    private static StoredRecord keptFor(StoredRecord record, long millis) {
        return new StoredRecord(
                record.state(),
                record.attempts(),
                record.fence(),
                record.at(),
                Moment.after(millis),
                record.owner(),
                record.fingerprint(),
                record.result(),
                record.reason(),
                record.steps());
    }

    @Test
    void aResultThatDoesNotFitIsOmittedAndSoTold() {
        StoredResult largest = StoredResult.of("raw", new byte[ZooKeeperIdempotencyStore.LARGEST_RESULT + 1024]);
        StoredResult larger = StoredResult.of("raw", new byte[largest.size() + 1]);
        Lease first = granted(request());
        assertThat(store.complete(first, largest)).isEqualTo(new StoreAnswer.Ok(largest));
        store.reopen(record, first.fence(), Duration.ofHours(1));
        Lease second = granted(request());

        assertThat(store.complete(second, larger)).isEqualTo(new StoreAnswer.Ok(StoredResult.OMITTED));

        assertThat(store.acquire(request())).isEqualTo(new Claim.Replay(StoredResult.OMITTED, second.fence()));
    }

    @Test
    void stepsThatDoNotFitAreRefusedBeforeTheyAreSent() {
        Lease lease = granted(request());
        StoredResult large = StoredResult.of("raw", new byte[400_000]);
        assertThat(store.update(remember(lease, "one", large))).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.update(remember(lease, "two", large))).isInstanceOf(StoreAnswer.Ok.class);

        assertThatThrownBy(() -> store.update(remember(lease, "three", large)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("remember fewer steps");

        assertThat(store.steps(record).steps()).hasSize(2);
        assertThat(store.renew(lease)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void aRecordFullOfStepsCanBeRejectedWithTheLongestReason() {
        Lease lease = granted(request());
        StoredResult large = StoredResult.of("raw", new byte[474_000]);
        assertThat(store.update(remember(lease, "one", large))).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.update(remember(lease, "two", large))).isInstanceOf(StoreAnswer.Ok.class);
        for (int size = 4_096; size > 0; size /= 2) {
            fill(lease, size);
        }
        int steps = store.steps(record).steps().size();

        assertThat(store.reject(lease, "\u20ac".repeat(20_000))).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(store.acquire(request()))
                .isInstanceOfSatisfying(
                        Claim.Rejected.class,
                        rejected -> assertThat(rejected.reason()).hasSize(ZooKeeperIdempotencyStore.LONGEST_REASON));
        assertThat(store.steps(record).steps()).hasSize(steps);
    }

    /** Adds a step with a result of this size if it fits. Few and large ones: a server keeps the last writes in memory. */
    private void fill(Lease lease, int size) {
        RecordUpdate step = remember(lease, "of-" + size, StoredResult.of("raw", new byte[size]));
        try {
            assertThat(store.update(step)).isInstanceOf(StoreAnswer.Ok.class);
        } catch (IllegalArgumentException full) {
            assertThat(full).hasMessageContaining("remember fewer steps");
        }
    }

    private static RecordUpdate remember(Lease lease, String id, StoredResult result) {
        return new RecordUpdate.Remember(
                lease, lease.fence(), new RememberedStep(id, Kind.DONE, lease.fence(), result));
    }

    @Test
    void whatWasSentBeforeAnInterruptedCloseIsUnknown() {
        try (TcpProxy proxy = proxy();
                ZooKeeperConnection behindProxy = behind(proxy)) {
            behindProxy.check();
            proxy.blackHole();
            CompletionStage<Claim> sent = new ZooKeeperIdempotencyStore(behindProxy)
                    .acquire(List.of(request()))
                    .get(0);

            Thread.currentThread().interrupt();
            behindProxy.close();

            assertThat(Thread.interrupted()).isTrue();
            assertUnknown(() -> Stages.await(sent, Duration.ofMinutes(1)));
        }
    }

    @Test
    void callsDuringASlowCloseAreRefusedAtOnce() {
        try (TcpProxy proxy = proxy();
                ZooKeeperConnection behindProxy = behind(proxy)) {
            behindProxy.check();
            proxy.blackHole();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(behindProxy::close);

            await().untilAsserted(() ->
                    assertThatThrownBy(behindProxy::session).hasMessage("The connection to ZooKeeper is closed"));

            assertThat(closing).as("the server is silent, so it still waits").isNotDone();
        }
    }

    @Test
    void theCheckMayTakeLongerThanACall() {
        ZooKeeperSettings impatient = new ZooKeeperSettings(
                SharedServers.zooKeeper().connectString(),
                harness.connection().layout().root(),
                Duration.ofMinutes(1),
                Duration.ofMillis(1),
                Optional.empty());
        try (ZooKeeperConnection connection = new ZooKeeperConnection(impatient)) {
            assertThatCode(connection::check).doesNotThrowAnyException();
        }
    }

    @Test
    void theCheckPassesOverServersThatAreAway() {
        String live = SharedServers.zooKeeper().connectString();
        for (int check = 0; check < 10; check++) {
            try (ZooKeeperConnection connection = ZooKeeperStoreHarness.connection(
                    "127.0.0.1:1," + live, harness.connection().layout().root())) {
                assertThatCode(connection::check).doesNotThrowAnyException();
            }
        }
    }

    @Test
    @Tag("extended")
    void aClientThatCannotAuthenticateIsRefused() {
        Configuration.setConfiguration(new Credentials());
        try (ZooKeeperConnection connection =
                ZooKeeperStoreHarness.connection(SharedServers.zooKeeper().connectString())) {
            assertThatThrownBy(connection::check)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("do not agree on who the client is");
        } finally {
            Configuration.setConfiguration(null);
        }
    }

    /** Credentials for SASL, which the server does not know. */
    private static final class Credentials extends Configuration {

        @Override
        public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
            return name.equals("Client")
                    ? new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                DigestLoginModule.class.getName(),
                                LoginModuleControlFlag.REQUIRED,
                                Map.of("username", "idem", "password", "guess"))
                    }
                    : null;
        }
    }

    @Test
    void aClientThatTakesNoFullRecordIsRefused() {
        for (String tooLittle : List.of("1000000", "many")) {
            System.setProperty(ZKConfig.JUTE_MAXBUFFER, tooLittle);
            try {
                assertThatThrownBy(harness.connection()::check)
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContainingAll("jute.maxbuffer", "a full record needs 1010000");
            } finally {
                System.clearProperty(ZKConfig.JUTE_MAXBUFFER);
            }
        }
        assertThatCode(harness.connection()::check).doesNotThrowAnyException();
    }

    @Test
    void aServerThatIsAwayIsNamedAndNothingThatOnlyReadsIsUnknown() {
        try (ZooKeeperConnection nowhere = new ZooKeeperConnection(ZooKeeperSettings.of("127.0.0.1:1"))) {
            IdempotencyStore away = new ZooKeeperIdempotencyStore(nowhere);

            assertThatThrownBy(() -> away.inspect(record))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            failure -> assertThat(failure.execution()).isEqualTo(Execution.NOT_EXECUTED))
                    .hasMessageContaining("ZooKeeper did not execute the inspection of " + record);
        }
    }
}
