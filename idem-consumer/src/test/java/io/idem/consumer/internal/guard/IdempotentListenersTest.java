package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.KeySource;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.MissingKeyException;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.internal.call.DirectCalls;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.DeliveriesInProgress;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.consumer.suspending.SuspendingShipment;
import io.idem.engine.IdempotentExecutor;
import io.idem.json.JacksonResultCodec;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The deciding half by itself: what it asks, what it says, and what it never does. */
class IdempotentListenersTest {

    private static final ConsumerSettings SETTINGS = ConsumerSettings.of(ExecutionPolicy.defaults());

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore();
    private final List<ConsumerEvent> events = new ArrayList<>();
    private final Listeners target = new Listeners();
    private IdempotencyStore store = memory;
    private ResultCodec codec = new JacksonResultCodec(JsonMapper.builder().build());
    private ConsumerSettings settings = SETTINGS;
    private @Nullable IdempotentExecutor executor;

    @AfterEach
    void close() {
        if (executor != null) {
            executor.close();
        }
    }

    private Listeners proxy() {
        executor = IdempotentExecutor.on(store).build();
        IdempotentListeners listeners = new IdempotentListeners(
                executor,
                executor.async(Runnable::run),
                codec,
                settings,
                ScopePolicies.same(settings.policy()),
                List.of(events::add),
                (text, bean) -> text.replace("${scope}", "resolved"),
                () -> null,
                new StoreOutages(
                        OutageSettings.DEFAULTS, scope -> {}, () -> {}, new ConsumerEvents(List.of(events::add))),
                DirectCalls.of(settings.directCalls()),
                new DeliveriesInProgress());
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(new IdempotentListenerAdvisor(() -> listeners, () -> IdempotentListenerAdvisor.ORDER));
        return (Listeners) factory.getProxy();
    }

    private static @Nullable Object deliver(Delivery delivery, Callable<@Nullable Object> call) throws Exception {
        try {
            return CurrentDelivery.callWith(delivery, call::call);
        } catch (Exception | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new InvocationTargetException(failure);
        }
    }

    private RecordState state(String key, String scope) {
        return memory.inspect(new RecordId(IdempotencyKey.of(key), new Scope(scope)))
                .map(RecordSnapshot::state)
                .orElse(RecordState.ABSENT);
    }

    /** Does what the test says. */
    static class Listeners {

        private Callable<@Nullable Object> work = () -> "done";
        private int calls;

        @IdempotentListener(scope = "plain")
        @Nullable Object plain(@Nullable IdempotencyContext context, @Nullable IdempotencyKey key) throws Exception {
            calls++;
            assertThat(Objects.requireNonNull(context).key()).isEqualTo(key);
            return work.call();
        }

        @IdempotentListener(scope = "${scope}", key = "#order['id']")
        void byExpression(Map<String, Object> order) {
            calls++;
        }

        @IdempotentListener(scope = "header", key = "headers['order-id']")
        void byHeaderExpression() {
            calls++;
        }

        @IdempotentListener(scope = "broken", key = "#order.nothing.here")
        void byBrokenExpression(String order) {
            calls++;
        }

        @IdempotentListener(scope = "broken", key = "headers['order-id'].substring(0, 8)")
        void byPrefix() {
            calls++;
        }

        @IdempotentListener(scope = "short", lease = "2s", retention = "PT1H", maxAttempts = "3")
        void briefly() {
            calls++;
        }

        @IdempotentListener(scope = "final", rejectOn = IllegalStateException.class)
        void rejecting() throws Exception {
            calls++;
            work.call();
        }
    }

    /** Reflection returns methods in no order, so Spring may ask for the static one first. */
    @Test
    void theStaticCopyOfAFunctionThatSuspendsIsNotRefused() {
        IdempotentListenerAdvisor advisor = new IdempotentListenerAdvisor(
                () -> {
                    throw new AssertionError("nothing is delivered");
                },
                () -> IdempotentListenerAdvisor.ORDER);
        Method copy = Arrays.stream(SuspendingShipment.class.getDeclaredMethods())
                .filter(method -> method.getName().equals("ship$suspendImpl"))
                .findFirst()
                .orElseThrow();

        assertThatCode(() -> advisor.matches(copy, SuspendingShipment.class)).doesNotThrowAnyException();
    }

    @Test
    void theContextIsThereDuringTheWorkAndNowhereElse() throws Exception {
        List<@Nullable IdempotencyContext> seen = new ArrayList<>();
        target.work = () -> seen.add(IdempotencyContext.current().orElse(null));

        deliver(new Delivery(FakeMessage.withKey("k1")), () -> proxy().plain(null, null));

        assertThat(seen).doesNotContainNull();
        assertThat(IdempotencyContext.current()).isEmpty();
        assertThat(CurrentDelivery.get()).isEmpty();
    }

    @Test
    void nothingStaysOnTheThreadAfterAFailure() {
        target.work = () -> {
            throw new IllegalStateException("boom");
        };
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        assertThatThrownBy(() -> deliver(delivery, () -> proxy().plain(null, null)))
                .hasMessage("boom");

        assertThat(delivery.decision()).containsInstanceOf(DeliveryDecision.Failed.class);
        assertThat(IdempotencyContext.current()).isEmpty();
        assertThat(CurrentDelivery.get()).isEmpty();
        assertThat(state("k1", "plain")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aDuplicateReturnsTheStoredResult() throws Exception {
        Listeners proxy = proxy();
        deliver(new Delivery(FakeMessage.withKey("k1")), () -> proxy.plain(null, null));
        Delivery again = new Delivery(FakeMessage.withKey("k1"));

        Object result = deliver(again, () -> proxy.plain(null, null));

        assertThat(result).isEqualTo("done");
        assertThat(target.calls).isEqualTo(1);
        assertThat(again.decision()).contains(new DeliveryDecision.Duplicate());
    }

    @Test
    void aResultThatCannotBeStoredDoesNotUndoTheWork() throws Exception {
        codec = new Unable();
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        assertThat(deliver(delivery, () -> proxy().plain(null, null))).isEqualTo("done");

        assertThat(delivery.decision()).contains(new DeliveryDecision.Ran());
        assertThat(state("k1", "plain")).isEqualTo(RecordState.COMPLETED);
        Delivery again = new Delivery(FakeMessage.withKey("k1"));
        assertThat(deliver(again, () -> proxy().plain(null, null))).isNull();
        assertThat(again.decision()).contains(new DeliveryDecision.Duplicate());
        assertThat(target.calls).isEqualTo(1);
    }

    private static final class Unable implements ResultCodec {

        @Override
        public String name() {
            return "unable";
        }

        @Override
        public StoredResult encode(@Nullable Object value) {
            throw new ResultCodecException("unable");
        }

        @Override
        public @Nullable Object decode(StoredResult result, Type type) {
            throw new ResultCodecException("unable");
        }
    }

    @Test
    void aStoredResultThatCannotBeReadDoesNotMakeTheDuplicateAFailure() throws Exception {
        Listeners proxy = proxy();
        deliver(new Delivery(FakeMessage.withKey("k1")), () -> proxy.plain(null, null));
        codec = new Unable();
        Delivery again = new Delivery(FakeMessage.withKey("k1"));

        assertThat(deliver(again, () -> proxy().plain(null, null))).isNull();

        assertThat(again.decision()).contains(new DeliveryDecision.Duplicate());
    }

    @Test
    void aCallThatIsNoDeliveryIsRefused() {
        assertThatThrownBy(() -> proxy().plain(null, null))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("idem.consumer.direct-calls");
        assertThat(target.calls).isZero();
    }

    @Test
    void aCallThatIsNoDeliveryRunsIfThePolicySaysSo() {
        settings = with(DirectCallPolicy.RUN_UNGUARDED);

        proxy().briefly();

        assertThat(target.calls).isEqualTo(1);
        assertThat(state("k1", "short")).isEqualTo(RecordState.ABSENT);
    }

    private static ConsumerSettings with(DirectCallPolicy policy) {
        return new ConsumerSettings(
                SETTINGS.policy(),
                SETTINGS.missingKey(),
                SETTINGS.keySources(),
                SETTINGS.trustTenant(),
                policy,
                SETTINGS.inPlaceWait(),
                SETTINGS.hold());
    }

    @Test
    void aListenerCalledFromInsideAnotherOnesWorkStopsTheContainer() throws Exception {
        Listeners proxy = proxy();
        target.work = () -> {
            proxy.briefly();
            return "done";
        };

        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));
        deliver(delivery, () -> proxy.plain(null, null));

        assertThat(stopReason(delivery)).contains("briefly");
        assertThat(state("k1", "plain")).isEqualTo(RecordState.FAILED);
    }

    private static String stopReason(Delivery delivery) {
        DeliveryDecision decision = delivery.decision().orElseThrow();
        assertThat(decision).isInstanceOf(DeliveryDecision.Stop.class);
        return String.valueOf(((DeliveryDecision.Stop) decision).refusal().getMessage());
    }

    @Test
    void workInsideATransactionThatOutlivesItStopsTheContainer() throws Exception {
        TransactionTemplate outer = new TransactionTemplate(new NoTransactions());
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        deliver(delivery, () -> {
            outer.executeWithoutResult(status -> proxy().briefly());
            return null;
        });

        assertThat(target.calls).isZero();
        assertThat(stopReason(delivery)).contains("@Transactional");
    }

    private static final class NoTransactions extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Test
    void aKeyMayComeFromThePayload() throws Exception {
        deliver(new Delivery(new FakeMessage()), () -> {
            proxy().byExpression(Map.of("id", 42));
            return null;
        });

        assertThat(state("42", "resolved")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aKeyMayComeFromAHeaderOfOnesOwn() throws Exception {
        FakeMessage message = new FakeMessage().with("order-id", (Object) new byte[] {'4', '2'});

        deliver(new Delivery(message), () -> {
            proxy().byHeaderExpression();
            return null;
        });

        assertThat(state("42", "header")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void anExpressionThatFindsNothingMeansAMissingKey() {
        assertThatThrownBy(() -> deliver(new Delivery(new FakeMessage()), () -> {
                    proxy().byHeaderExpression();
                    return null;
                }))
                .isInstanceOf(MissingKeyException.class)
                .hasMessageContaining("order-id");
        assertThat(events).hasOnlyElementsOfType(ConsumerEvent.KeyMissing.class).hasSize(1);
    }

    @Test
    void anExpressionThatFailsMeansAnInvalidKey() {
        assertThatThrownBy(() -> deliver(new Delivery(FakeMessage.withKey("k1")), () -> {
                    proxy().byBrokenExpression("order");
                    return null;
                }))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("#order.nothing.here");
        assertThat(events).hasOnlyElementsOfType(ConsumerEvent.KeyInvalid.class).hasSize(1);
    }

    @Test
    void aMethodThatThrowsInsideAKeyExpressionMeansAnInvalidKey() {
        assertThatThrownBy(() -> deliver(new Delivery(new FakeMessage().with("order-id", "short")), () -> {
                    proxy().byPrefix();
                    return null;
                }))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("order-id")
                .hasCauseInstanceOf(StringIndexOutOfBoundsException.class);
        assertThat(events).hasOnlyElementsOfType(ConsumerEvent.KeyInvalid.class).hasSize(1);
    }

    @Test
    void messageIdsAndCloudEventsAreReadOnRequestOnly() throws Exception {
        FakeMessage message = new FakeMessage().withMessageId("m1");
        assertThatThrownBy(() -> deliver(new Delivery(message), () -> proxy().plain(null, null)))
                .isInstanceOf(MissingKeyException.class);

        settings = from(KeySource.HEADERS, KeySource.CLOUD_EVENTS, KeySource.MESSAGE_ID);
        deliver(new Delivery(message), () -> proxy().plain(null, null));
        FakeMessage event =
                new FakeMessage().withMessageId("m1").with("ce_id", "1").with("ce_source", "shop");
        deliver(new Delivery(event), () -> proxy().plain(null, null));

        assertThat(state("m1", "plain")).isEqualTo(RecordState.COMPLETED);
        assertThat(state("4:shop1", "plain")).isEqualTo(RecordState.COMPLETED);
    }

    private static ConsumerSettings from(KeySource... sources) {
        return new ConsumerSettings(
                SETTINGS.policy(),
                SETTINGS.missingKey(),
                List.of(sources),
                SETTINGS.trustTenant(),
                SETTINGS.directCalls(),
                SETTINGS.inPlaceWait(),
                SETTINGS.hold());
    }

    @Test
    void aRecordThatIdemDidNotWriteDefersTheMessageWithoutRunningIt() throws Exception {
        store = failing("acquire");
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        assertThat(deliver(delivery, () -> proxy().plain(null, null))).isNull();

        assertThat(delivery.decision()).containsInstanceOf(DeliveryDecision.Defer.class);
        assertThat(target.calls).isZero();
    }

    @Test
    void aDurableEffectIsNoFailureWhenItsRecordWasOverwritten() throws Exception {
        store = failing("update");
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        deliver(delivery, () -> proxy().plain(null, null));

        assertThat(delivery.decision()).contains(new DeliveryDecision.Ran());
        assertThat(target.calls).isEqualTo(1);
        assertThat(state("k1", "plain")).as("not written").isEqualTo(RecordState.PENDING);
    }

    private IdempotencyStore failing(String transition) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(transition)) {
                        RecordId record = new RecordId(IdempotencyKey.of("k1"), new Scope("plain"));
                        throw new UnreadableRecordException(record, "a list");
                    }
                    return method.invoke(memory, arguments);
                });
    }

    @Test
    void aFailureThatNoRetryCanCureIsThrownWithTheRejectionInTheVerdict() {
        target.work = () -> {
            throw new IllegalStateException("hopeless");
        };
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        assertThatThrownBy(() -> deliver(delivery, () -> {
                    proxy().rejecting();
                    return null;
                }))
                .hasMessage("hopeless");

        assertThat(delivery.decision())
                .get()
                .isInstanceOfSatisfying(
                        DeliveryDecision.Failed.class,
                        failed -> assertThat(failed.rejection())
                                .get()
                                .satisfies(rejection ->
                                        assertThat(rejection.attempts()).isEqualTo(1)));
        assertThat(state("k1", "final")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void aReasonIsShortEnoughForAHeader() {
        target.work = () -> {
            throw new IllegalStateException("x".repeat(100_000));
        };
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));

        assertThatThrownBy(() -> deliver(delivery, () -> {
                    proxy().rejecting();
                    return null;
                }))
                .isInstanceOf(IllegalStateException.class);

        RecordId record = new RecordId(IdempotencyKey.of("k1"), new Scope("final"));
        assertThat(memory.inspect(record).orElseThrow().reason()).hasSizeLessThanOrEqualTo(1024);
    }

    @Test
    void aListenersOwnDurationsWinOverTheSettings() throws Exception {
        List<Duration> leases = new ArrayList<>();
        store = (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, method, arguments) -> {
                    if (arguments != null
                            && arguments[0] instanceof List<?> requests
                            && requests.get(0) instanceof AcquireRequest request) {
                        leases.addAll(List.of(request.lease(), request.retention()));
                        assertThat(request.maxAttempts()).isEqualTo(3);
                    }
                    return method.invoke(memory, arguments);
                });

        deliver(new Delivery(FakeMessage.withKey("k1")), () -> {
            proxy().briefly();
            return null;
        });

        assertThat(leases).containsExactly(Duration.ofSeconds(2), Duration.ofHours(1));
    }
}
