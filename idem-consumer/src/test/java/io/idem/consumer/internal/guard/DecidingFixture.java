package io.idem.consumer.internal.guard;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.PolicyOverrides;
import io.idem.Reconciler;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.contract.MovableClock;
import io.idem.consumer.internal.call.DirectCalls;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.ListenerDefinitionFactory;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.DeliveriesInProgress;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.json.JacksonResultCodec;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.springframework.aop.framework.ProxyFactory;
import tools.jackson.databind.json.JsonMapper;

/** Listener methods behind the deciding half, on the reference store and a clock that can be moved. */
public abstract class DecidingFixture {

    public static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(10), Duration.ofDays(7));

    public final MovableClock clock = new MovableClock();
    public final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(clock);
    public final JacksonResultCodec codec =
            new JacksonResultCodec(JsonMapper.builder().build());
    public final List<ConsumerEvent> events = new ArrayList<>();
    public ConsumerEventListener alsoTold = event -> {};
    public final Map<Scope, PolicyOverrides> scopes = new HashMap<>();
    public final Map<String, Reconciler> reconcilers = new HashMap<>();
    public final DeliveriesInProgress inProgress = new DeliveriesInProgress();
    public boolean switchedOff;
    public @Nullable Inbox inbox;
    private final List<IdempotentExecutor> executors = new ArrayList<>();

    @AfterEach
    public void close() {
        executors.forEach(IdempotentExecutor::close);
    }

    public <T> T guarded(T target) {
        return guarded(target, listeners(executor(memory)));
    }

    public IdempotentExecutor executor(IdempotencyStore store) {
        IdempotentExecutor executor = IdempotentExecutor.on(store).build();
        executors.add(executor);
        return executor;
    }

    /** Returns the executor of work that ends after its method, and of batches. */
    public AsyncIdempotentExecutor async(IdempotentExecutor executor) {
        return executor.async(Runnable::run);
    }

    public IdempotentListeners listeners(IdempotentExecutor executor) {
        return new IdempotentListeners(
                executor,
                async(executor),
                codec,
                ConsumerSettings.of(POLICY),
                policies(),
                List.of(events::add, event -> alsoTold.on(event)),
                (text, bean) -> text,
                () -> inbox,
                new StoreOutages(
                        OutageSettings.DEFAULTS, scope -> {}, () -> {}, new ConsumerEvents(List.of(events::add))),
                DirectCalls.of(DirectCallPolicy.REFUSE),
                inProgress);
    }

    public static <T> T guarded(T target, IdempotentListeners listeners) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(new IdempotentListenerAdvisor(() -> listeners, () -> IdempotentListenerAdvisor.ORDER));
        @SuppressWarnings("unchecked")
        T proxy = (T) factory.getProxy();
        return proxy;
    }

    /** Resolves one listener method's definition, as the start of an application does. */
    public ListenerDefinition definition(Class<?> type, String method, Class<?>... parameters) throws Exception {
        Method found = type.getDeclaredMethod(method, parameters);
        return new ListenerDefinitionFactory(
                        ConsumerSettings.of(POLICY), policies(), (text, bean) -> text, () -> null, false)
                .create(found, null);
    }

    private ScopePolicies policies() {
        ScopePolicies policies = new ScopePolicies(POLICY, scopes, this::reconciler);
        return switchedOff ? policies.forgetful() : policies;
    }

    private Reconciler reconciler(String name) {
        Reconciler known = reconcilers.get(name);
        if (known == null) {
            throw new IllegalArgumentException("no reconciler named \"" + name + "\"");
        }
        return known;
    }

    public static DeliveryDecision deliver(FakeMessage message, CurrentDelivery.HandOver call) throws Exception {
        Delivery delivery = new Delivery(message);
        try {
            CurrentDelivery.callWith(delivery, call);
        } catch (Exception | Error failure) {
            if (delivery.decision().isEmpty()) {
                throw failure;
            }
        } catch (Throwable failure) {
            throw new InvocationTargetException(failure);
        }
        return delivery.decision().orElseThrow();
    }

    /** Somebody acquires the record and dies. */
    public Lease dyingOwner(String key, String scope) {
        Lease lease = acquireAsOtherOwner(memory, key, scope, POLICY.lease());
        clock.moveAhead(POLICY.lease());
        return lease;
    }

    /** Somebody else acquires the record. */
    public static Lease acquireAsOtherOwner(IdempotencyStore store, String key, String scope, Duration lease) {
        Claim claim = store.acquire(new AcquireRequest(
                new RecordId(IdempotencyKey.of(key), new Scope(scope)),
                OwnerToken.random(new SecureRandom()),
                lease,
                POLICY.retention(),
                Fingerprint.NONE,
                0,
                0));
        return ((Claim.Granted) claim).lease();
    }

    public RecordSnapshot record(String key, String scope) {
        return memory.inspect(new RecordId(IdempotencyKey.of(key), new Scope(scope)))
                .orElseThrow();
    }
}
