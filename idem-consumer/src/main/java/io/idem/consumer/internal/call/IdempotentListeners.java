package io.idem.consumer.internal.call;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.ResultCodec;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchCall;
import io.idem.consumer.internal.definition.AttributeValues;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.ListenerDefinitionFactory;
import io.idem.consumer.internal.definition.ListenerDefinitions;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.definition.ListenerSources;
import io.idem.consumer.internal.delivery.DeliveriesInProgress;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.key.DeadLetterQuery;
import io.idem.consumer.internal.key.FingerprintReader;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.spi.DeadLetterSource.Sought;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Decides about deliveries to listener methods: runs a method once for its key and scope and leaves a
 * {@link DeliveryDecision}. Thread-safe; blocks the delivering thread, but not for work that ends after its method has
 * returned.
 */
public final class IdempotentListeners {

    private final ListenerRuntime runtime;
    private final ResultCodec codec;
    private final DirectCalls directCalls;
    private final ListenerDefinitionFactory factory;
    private final ListenerDefinitions definitions;
    private final ListenerSources sources;

    /**
     * Makes the decision for all listeners of an application.
     *
     * @param executor runs listener methods
     * @param async runs those whose work ends after their return
     * @param scopes the settings of single scopes
     * @param values resolves the attributes of annotations
     * @param inbox the application's inbox; null if it has none
     * @param outages of the executor's store
     * @param directCalls decides about calls that are not deliveries
     * @param inProgress learns of deliveries whose listeners are at work
     */
    public IdempotentListeners(
            IdempotentExecutor executor,
            AsyncIdempotentExecutor async,
            ResultCodec codec,
            ConsumerSettings settings,
            ScopePolicies scopes,
            List<ConsumerEventListener> listeners,
            AttributeValues values,
            Supplier<@Nullable Inbox> inbox,
            StoreOutages outages,
            DirectCalls directCalls,
            DeliveriesInProgress inProgress) {
        ConsumerEvents events = new ConsumerEvents(listeners);
        this.runtime = new ListenerRuntime(executor, async, settings, events, outages, inProgress);
        this.codec = codec;
        this.directCalls = directCalls;
        this.factory = new ListenerDefinitionFactory(settings, scopes, values, inbox, inboxAlways());
        this.definitions = new ListenerDefinitions(factory::create);
        this.sources = new ListenerSources(values.resolve("${HOSTNAME:}", null), new ConcurrentHashMap<>());
    }

    /** Returns whether every listener runs in the inbox, because it is the store; for delivery hooks. */
    public boolean inboxAlways() {
        return runtime.executor().inbox().flatMap(Inbox::failures).isPresent();
    }

    /**
     * Returns the policies of an idempotent listener method of a bean, or of those of its class; for delivery hooks.
     */
    public List<ExecutionPolicy> policies(Object bean, AnnotatedElement listener) {
        return definitions(bean, listener).map(ListenerDefinition::policy).toList();
    }

    /** Tells at start of messages that a listener may lose as duplicates, as {@link ListenerSources} knows. */
    public void checkSources(Object bean, AnnotatedElement listener, ListenerSources.Read read) {
        sources.check(definitions(bean, listener).toList(), read);
    }

    private Stream<ListenerDefinition> definitions(Object bean, AnnotatedElement listener) {
        return (listener instanceof Method method ? Set.of(method) : ListenerShape.methods((Class<?>) listener))
                .stream().map(method -> definitions.of(bean, method));
    }

    /**
     * Returns the query for a dead letter. Its fingerprint is read as the listener of its scope does, from the header for
     * the scope of another application's listener.
     */
    public DeadLetterQuery letter(Sought sought) {
        return new DeadLetterQuery(
                sought,
                runtime.settings(),
                definitions
                        .of(sought.record().scope())
                        .map(ListenerDefinition::fingerprints)
                        .orElseGet(FingerprintReader::ofHeader));
    }

    /** Stops containers whose listeners cannot go on; for delivery hooks. */
    public ListenerStops stops() {
        return directCalls.stops();
    }

    /** The parts that all listeners share; for delivery hooks too. */
    public ListenerRuntime runtime() {
        return runtime;
    }

    /**
     * Returns the scope of an idempotent listener method of a bean, which may be in proxies.
     *
     * @throws ListenerConfigurationException if its annotation makes no sense
     */
    public Scope scope(Object bean, Method method) {
        return definitions.of(bean, method).scope();
    }

    public ListenerDefinitions definitions() {
        return definitions;
    }

    /**
     * Makes the definition of a function of the application.
     *
     * @param named the method by which a developer finds it
     * @param called the method through which its messages go
     * @throws ListenerConfigurationException names the method, the attribute and what to do
     */
    public ListenerDefinition define(IdempotentListener annotation, Method named, Method called) {
        return definitions.known(factory.create(annotation, named, called));
    }

    /**
     * Refuses a call of a listener that is not a delivery, unless such calls are allowed.
     *
     * @throws ListenerConfigurationException if they are refused
     */
    public void checkDirectCall(Method listener) {
        directCalls.check(listener);
    }

    public @Nullable Object call(Optional<Delivery> delivery, MethodInvocation invocation) throws Throwable {
        if (Probe.endsAt(this)) {
            return null;
        }
        Object target = invocation.getThis();
        ListenerDefinition listener = target == null
                ? definitions.shared(invocation.getMethod().getDeclaringClass(), invocation.getMethod())
                : definitions.of(target, invocation.getMethod());
        Optional<BatchCall> batch = BatchCall.of(listener.method());
        if (batch.isPresent()) {
            return batch.get().proceed(invocation);
        }
        return delivery.isPresent()
                ? deliver(listener, delivery.get(), invocation)
                : directCalls.call(listener.method(), invocation);
    }

    private @Nullable Object deliver(ListenerDefinition listener, Delivery delivery, MethodInvocation invocation)
            throws Throwable {
        if (!runtime.inProgress().begin(delivery.message())) {
            delivery.decide(new DeliveryDecision.Defer(listener.scope(), Duration.ZERO, "its application has stopped"));
            return null;
        }
        try {
            ResultBytes results = new ResultBytes(codec, listener, delivery);
            ListenerWork work = new ListenerWork(listener, delivery, invocation, results, runtime.outages());
            return new ListenerCall(listener, delivery, work, runtime).decide();
        } finally {
            runtime.inProgress().end();
        }
    }
}
