package io.idem.zookeeper.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.internal.spring.Cleaning;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.result.ResultLimits;
import io.idem.result.ResultLimits.TooLarge;
import io.idem.result.ResultStorage;
import io.idem.servers.SharedServers;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.SettledRecordCache;
import io.idem.zookeeper.ZooKeeperConnection;
import io.idem.zookeeper.ZooKeeperSettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class ZooKeeperAutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final StoredResult RECEIPT = StoredResult.of("text", "1".getBytes(StandardCharsets.UTF_8));

    private final ApplicationContextRunner bare = with(ExecutionPolicy.defaults());

    private final RecordId record = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));

    private static ApplicationContextRunner with(ExecutionPolicy policy) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ZooKeeperAutoConfiguration.class))
                .withBean(ExecutionPolicy.class, () -> policy)
                .withPropertyValues("idem.store=zookeeper", "idem.zookeeper.root=/test-" + UUID.randomUUID());
    }

    private ApplicationContextRunner application() {
        return bare.withPropertyValues(
                "idem.zookeeper.connect=" + SharedServers.zooKeeper().connectString());
    }

    private static String refusal(@Nullable Throwable failure) {
        ConfigurationException refused = FailurePolicy.causes(requireNonNull(failure))
                .filter(ConfigurationException.class::isInstance)
                .map(ConfigurationException.class::cast)
                .findFirst()
                .orElseThrow();
        return refused.getMessage() + refused.action();
    }

    private Claim acquire(IdempotencyStore store) {
        return store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));
    }

    @Test
    void recordsAreKeptInZooKeeperAndListedForOperators() {
        application().run(context -> {
            assertThat(acquire(context.getBean(IdempotencyStore.class))).isInstanceOf(Claim.Granted.class);

            assertThat(context.getBean(RecordLister.class)
                            .list(RecordLister.START, 10)
                            .records())
                    .hasSize(1);
            assertThat(context.getBean(Cleaning.class).isRunning()).isTrue();
        });
    }

    @Test
    void anotherStoreIsLeftToOthers() {
        application()
                .withPropertyValues("idem.store=redis")
                .run(context -> assertThat(context).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void itBacksOffForAStoreOfTheUsers() {
        application()
                .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(InMemoryIdempotencyStore.class));
    }

    @Test
    void duplicatesOfSettledWorkAreAnsweredFromACopyInFront() {
        Copies copies = new Copies();
        application()
                .withPropertyValues("idem.store=zookeeper-with-redis")
                .withBean(SettledRecordCache.class, () -> copies)
                .run(context -> {
                    IdempotencyStore store = context.getBean(IdempotencyStore.class);
                    Claim.Granted granted = (Claim.Granted) acquire(store);
                    store.complete(granted.lease(), RECEIPT);

                    Claim.Replay replay =
                            new Claim.Replay(RECEIPT, granted.lease().fence());
                    await().atMost(PATIENCE).until(() -> {
                        assertThat(acquire(store)).isEqualTo(replay);
                        return copies.found.get() > 0;
                    });
                });
    }

    @Test
    void copiesInRedisWithoutACacheAreRefusedByName() {
        application()
                .withPropertyValues("idem.store=zookeeper-with-redis")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("idem.store=zookeeper-with-redis", "SettledRecordCache", "io.lettuce:lettuce-core"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "idem.zookeeper.connect=|idem.zookeeper.connect is missing",
                "idem.zookeeper.connect=zk:port|idem.zookeeper.connect: connect \"zk:port\" is not of the form",
                "idem.zookeeper.root=idem|idem.zookeeper.root: root \"idem\" is not a path",
                "idem.zookeeper.root=/|idem.zookeeper.root: root is \"/\"",
                "idem.zookeeper.session-timeout=11s|idem.zookeeper.session-timeout: PT11S is more than a third",
                "idem.zookeeper.session-timeout=1ms|idem.zookeeper.session-timeout: sessionTimeout PT0.001S is not between",
                "idem.zookeeper.retry-budget=11s|idem.zookeeper.retry-budget: PT11S is more than a third",
                "idem.zookeeper.retry-budget=3s|idem.zookeeper.retry-budget: PT3S is shorter than the session timeout PT4S",
                "idem.zookeeper.credentials=me|idem.zookeeper.credentials: credentials are not of the form",
                "idem.result.max-size=513KB|idem.result.max-size: 525312B is more than a record in ZooKeeper keeps, 512KB"
            })
    void aWrongSettingIsRefusedByItsName(String setting, String complaint) {
        bare.withPropertyValues("idem.zookeeper.connect=127.0.0.1:1")
                .withPropertyValues(setting)
                .run(context -> assertThat(refusal(context.getStartupFailure())).contains(complaint));
    }

    @Test
    void aLeaseThatIsTooShortForASessionIsRefusedByItsName() {
        with(ExecutionPolicy.of(Duration.ofMillis(200), Duration.ofHours(24)))
                .withPropertyValues("idem.zookeeper.connect=127.0.0.1:1")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("idem.lease PT0.2S is too short", "Set idem.lease to PT0.3S or more"));
    }

    @Test
    void byDefaultResultsAreLimitedToWhatARecordKeeps() throws Exception {
        Class<?> results = Class.forName("io.idem.autoconfigure.IdemResultAutoConfiguration");
        application()
                .withConfiguration(AutoConfigurations.of(results))
                .withPropertyValues("idem.result.compress-above=1KB")
                .run(context -> assertThat(context.getBean(ResultLimits.class))
                        .isEqualTo(new ResultLimits(512 * 1024, TooLarge.OMIT, 1024)));
    }

    @Test
    void limitsOfAnApplicationThatDoNotFitARecordEndTheStart() {
        application()
                .withBean(ResultLimits.class, ResultLimits::defaults)
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains(
                                "1048576B is more than a record in ZooKeeper keeps, 512KB", "your ResultLimits bean"));
    }

    private record EmptyStorage() implements ResultStorage {

        @Override
        public void put(String name, byte[] content) {}

        @Override
        public Optional<byte[]> get(String name) {
            return Optional.empty();
        }

        @Override
        public void delete(String name) {}
    }

    @Test
    void offloadedResultsMayBeLargerIfWhatStaysInRecordsFits() {
        ApplicationContextRunner offloading = application()
                .withBean(ResultStorage.class, EmptyStorage::new)
                .withPropertyValues("idem.result.max-size=10MB");
        offloading.run(context ->
                assertThat(context.getBean(ResultLimits.class).maxSize()).isEqualTo(10 << 20));
        offloading
                .withPropertyValues("idem.result.offload.above=600KB")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("idem.result.offload.above: 614400B is more than a record in ZooKeeper keeps"));
    }

    @ParameterizedTest
    @CsvSource({"30,,,4", "30,8,,8", "6,,,2", "10,2,,3", "30,5,8,8"})
    void callsAreRepeatedUntilASilentServerWasLeft(
            int lease, @Nullable Integer session, @Nullable Integer budget, int seconds) {
        ZooKeeperProperties properties =
                new ZooKeeperProperties("zk:2181", "/idem", duration(session), duration(budget), null);
        Duration whole = Duration.ofSeconds(lease);

        assertThat(properties.retryBudget(whole, properties.settings(whole).sessionTimeout()))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void aBudgetShorterThanTheSilenceThatServersAllowIsReported(CapturedOutput output) {
        with(ExecutionPolicy.of(Duration.ofMillis(900), Duration.ofHours(24)))
                .withPropertyValues(
                        "idem.zookeeper.connect=" + SharedServers.zooKeeper().connectString(),
                        "idem.zookeeper.session-timeout=300ms")
                .run(context -> assertThat(output)
                        .contains("one that is silent is left after PT0.666", "repeated for PT0.3S only"));
    }

    private static @Nullable Duration duration(@Nullable Integer seconds) {
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    @Test
    @Tag("extended")
    void workIsRecordedAlthoughItsServerHasFallenSilent() {
        try (TcpProxy one = proxy();
                TcpProxy other = proxy()) {
            with(ExecutionPolicy.of(Duration.ofMinutes(5), Duration.ofHours(24)))
                    .withPropertyValues(
                            "idem.zookeeper.connect=" + address(one) + "," + address(other),
                            "idem.zookeeper.session-timeout=9s",
                            "idem.zookeeper.retry-budget=50s")
                    .run(context -> {
                        IdempotencyStore store = context.getBean(IdempotencyStore.class);
                        Claim.Granted granted = (Claim.Granted) acquire(store);
                        (one.connections() > 0 ? one : other).blackHole();

                        assertThat(store.complete(granted.lease(), RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
                    });
        }
    }

    private static TcpProxy proxy() {
        URI server = URI.create("zookeeper://" + SharedServers.zooKeeper().connectString());
        return TcpProxy.to(server.getHost(), server.getPort());
    }

    private static String address(TcpProxy proxy) {
        return proxy.host() + ":" + proxy.port();
    }

    @Test
    void copiesAreThoseOfOneRoot() {
        Copies shared = new Copies();
        RecordSnapshot settled = new RecordSnapshot(
                record.scope(), RecordState.COMPLETED, 1, 2, Fingerprint.NONE, Instant.EPOCH, RECEIPT, "");
        copies(shared, "zk:2181", "/shop").offer(record, settled, Duration.ofMinutes(1));

        assertThat(copies(shared, "zk:2181", "/idem").find(record)).isEmpty();
        assertThat(copies(shared, "zk:2181", "/other").find(record)).isEmpty();
        assertThat(copies(shared, "zk:2181/shop", "/idem").find(record)).isEmpty();
        assertThat(copies(shared, "zk:2181", "/shop").find(record)).contains(settled);

        copies(shared, "zk:2181", "/shop").withdraw(record, 2, Duration.ofMinutes(1));

        assertThat(shared.copies).isEmpty();
    }

    private static SettledRecordCache copies(Copies shared, String connect, String root) {
        return CopiesOfRoot.of(settings(connect, root), shared);
    }

    private static ZooKeeperSettings settings(String connect, String root) {
        return new ZooKeeperSettings(connect, root, Duration.ofSeconds(10), Duration.ofSeconds(2), Optional.empty());
    }

    @Test
    void theNamesOfCopiesFollowTheConnectionOfTheApplication() {
        Copies copies = new Copies();
        ZooKeeperSettings own = settings(SharedServers.zooKeeper().connectString(), "/test-" + UUID.randomUUID());
        bare.withPropertyValues("idem.zookeeper.root=/idem")
                .withBean(ZooKeeperConnection.class, () -> new ZooKeeperConnection(own))
                .withBean(SettledRecordCache.class, () -> copies)
                .run(context -> {
                    IdempotencyStore store = context.getBean(IdempotencyStore.class);
                    Claim.Granted granted = (Claim.Granted) acquire(store);
                    store.complete(granted.lease(), RECEIPT);
                    acquire(store);

                    await().atMost(PATIENCE).until(() -> !copies.copies.isEmpty());
                    assertThat(CopiesOfRoot.of(own, copies).find(record)).isPresent();
                });
    }

    @Test
    void aConnectionOfTheApplicationIsCheckedAtTheStart() {
        ZooKeeperSettings nowhere = settings(SharedServers.zooKeeper().connectString() + "/nowhere", "/idem");
        bare.withBean(ZooKeeperConnection.class, () -> new ZooKeeperConnection(nowhere))
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("/nowhere does not exist in ZooKeeper"));
    }

    @Test
    @Tag("extended")
    void anUnreachableZooKeeperDoesNotEndTheStart() {
        bare.withPropertyValues("idem.zookeeper.connect=127.0.0.1:1")
                .run(context -> assertThat(context).hasSingleBean(IdempotencyStore.class));
    }

    @Test
    void aPathThatDoesNotExistEndsTheStart() {
        bare.withPropertyValues(
                        "idem.zookeeper.connect=" + SharedServers.zooKeeper().connectString() + "/nowhere")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .contains("/nowhere does not exist in ZooKeeper"));
    }

    @Test
    void nodesOfAnotherUserEndTheStart() {
        application()
                .withPropertyValues("idem.zookeeper.credentials=one:secret")
                .run(owner -> {
                    assertThat(owner).hasSingleBean(IdempotencyStore.class);
                    application()
                            .withPropertyValues("idem.zookeeper.credentials=two:guess")
                            .run(other -> assertThat(refusal(other.getStartupFailure()))
                                    .contains("refuses to let idem write below /test-"));
                });
    }

    /** Copies in memory that count their answers. */
    private static final class Copies implements SettledRecordCache {

        private final Map<RecordId, RecordSnapshot> copies = new ConcurrentHashMap<>();
        private final AtomicInteger found = new AtomicInteger();

        @Override
        public Optional<RecordSnapshot> find(RecordId record) {
            Optional<RecordSnapshot> copy = Optional.ofNullable(copies.get(record));
            copy.ifPresent(read -> found.incrementAndGet());
            return copy;
        }

        @Override
        public void offer(RecordId record, RecordSnapshot settled, Duration atMost) {
            copies.put(record, settled);
        }

        @Override
        public void withdraw(RecordId record, long fence, Duration remembered) {
            copies.remove(record);
        }

        @Override
        public void close() {}
    }
}
