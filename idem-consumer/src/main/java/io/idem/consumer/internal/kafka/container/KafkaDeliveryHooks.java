package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.BatchListener;
import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.ListenerSources;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.guard.LibraryVersion;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.kafka.message.ContainerStop;
import io.idem.consumer.internal.kafka.message.DeadLetterHeaders;
import io.idem.consumer.internal.kafka.message.DeadLetterWay;
import io.idem.consumer.internal.kafka.message.IdempotentKafkaEndpoint;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.message.PartitionPause;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import io.idem.consumer.kafka.KafkaSettings;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter;
import io.idem.internal.DaemonThreads;
import io.idem.internal.spring.BeforeContainers;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;
import org.springframework.kafka.retrytopic.RetryTopicBeanNames;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Gives every container of an {@link io.idem.consumer.IdempotentListener} its delivery hook, and refuses containers
 * that could not be hooked. {@link KafkaHookInstaller} reports the containers. Thread-safe.
 */
public final class KafkaDeliveryHooks extends BeforeContainers implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDeliveryHooks.class);

    private final ListableBeanFactory beans;
    private final Supplier<IdempotentListeners> listeners;
    private final Supplier<BatchListeners> batches;
    private final Duration redeliveryDelay;
    private final KafkaDeadLetterWriter deadLetters;
    private final Supplier<StartProof> proof;
    private final RetryTopics retryTopics;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idem-kafka-pause"));
    private final List<KafkaListenerHook> hooks = new CopyOnWriteArrayList<>();
    private final CommittedDeliveries committed = new CommittedDeliveries();
    private final Map<ConsumerRecord<?, ?>, String> failed = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * Makes the hooks for the listeners of an application.
     *
     * @param beans where containers that are beans are looked for
     * @param listeners needed when the first container is hooked
     * @param batches needed when the first container of a batch listener is hooked
     * @param settings of the Kafka transport
     * @param deadLetters destination of rejected records
     * @param proof proves each container
     */
    public KafkaDeliveryHooks(
            ListableBeanFactory beans,
            Supplier<IdempotentListeners> listeners,
            Supplier<BatchListeners> batches,
            KafkaSettings settings,
            KafkaDeadLetterWriter deadLetters,
            Supplier<StartProof> proof) {
        this.beans = beans;
        this.listeners = listeners;
        this.batches = batches;
        this.redeliveryDelay = settings.redeliveryDelay();
        this.deadLetters = deadLetters;
        this.proof = proof;
        this.retryTopics = new RetryTopics(() -> beans.getBean(
                RetryTopicBeanNames.DESTINATION_TOPIC_RESOLVER_BEAN_NAME, DestinationTopicResolver.class));
    }

    /**
     * Installs the hook in a container, or the missing part of it.
     *
     * @throws ListenerConfigurationException if the container cannot be made safe
     */
    void install(IdempotentKafkaEndpoint endpoint, MessageListenerContainer container) {
        if (container instanceof AbstractMessageListenerContainer<?, ?> supported) {
            hook(endpoint, supported).install();
        } else if (container instanceof ShareKafkaMessageListenerContainer<?, ?> sharing) {
            checkVersion(endpoint, LibraryVersion.of(ShareKafkaMessageListenerContainer.class, "spring-kafka"));
            new ShareContainerHook(endpoint, sharing, this).install();
        } else {
            throw new ListenerConfigurationException(
                    endpoint + " is delivered to by a " + container.getClass().getSimpleName()
                            + ", a container that idem cannot hook into",
                    "Use a ConcurrentKafkaListenerContainerFactory or a ShareKafkaListenerContainerFactory");
        }
    }

    /**
     * Installs the hook in a container that is a bean.
     *
     * @throws ListenerConfigurationException also if its listener would run unguarded
     */
    void installInBean(IdempotentKafkaEndpoint endpoint, MessageListenerContainer container) {
        install(endpoint, container);
        prove(endpoint, container);
    }

    /** Proves a container that is finished. */
    void prove(IdempotentKafkaEndpoint endpoint, MessageListenerContainer container) {
        proof.get()
                .ofContainer(
                        endpoint.bean(), new ContainerProof(endpoint, container.getContainerProperties(), proof.get()));
    }

    /** Refuses share groups of a spring-kafka that cannot renew the lock of a record, which is how deferred ones wait. */
    private static void checkVersion(IdempotentKafkaEndpoint endpoint, LibraryVersion springKafka) {
        if (springKafka.isBefore(4, 1)) {
            throw new ListenerConfigurationException(
                    endpoint + " is in a share group, which idem cannot guard with spring-kafka " + springKafka.text()
                            + ": it needs spring-kafka 4.1 or newer",
                    "Use Spring Boot 4.1 or newer, or a ConcurrentKafkaListenerContainerFactory");
        }
    }

    /**
     * Installs the hook in a container whose listener hands its records to a listener that is no annotated method, and
     * keeps it there although the container's owner sets that listener again. Before the container starts.
     *
     * @param listener brings its definition along
     * @param named the method by which a developer finds it
     * @throws ListenerConfigurationException if the container cannot be made safe
     */
    public void install(DefinedListener listener, Method named, AbstractMessageListenerContainer<?, ?> container) {
        IdempotentKafkaEndpoint endpoint = new IdempotentKafkaEndpoint(listener, named);
        install(endpoint, container);
        check(container);
        KeptHook.keep(container.getContainerProperties());
        prove(endpoint, container);
    }

    @SuppressWarnings("unchecked")
    private synchronized KafkaListenerHook hook(
            IdempotentKafkaEndpoint endpoint, AbstractMessageListenerContainer<?, ?> container) {
        return hooks.stream().filter(known -> known.isOf(container)).findFirst().orElseGet(() -> {
            KafkaListenerHook hook =
                    new KafkaListenerHook(endpoint, (AbstractMessageListenerContainer<Object, Object>) container, this);
            hooks.add(hook);
            return hook;
        });
    }

    /** Returns where idem publishes dead letters, if it does so itself. */
    KafkaDeadLetterWriter deadLetters() {
        return deadLetters;
    }

    /** Returns whether every listener runs in the inbox, because it is the store. */
    boolean inboxAlways() {
        return listeners.get().inboxAlways();
    }

    /** Checks the settings that are known once a container is finished. */
    void check(MessageListenerContainer container) {
        hooks.stream().filter(hook -> hook.isOf(container)).forEach(KafkaListenerHook::check);
    }

    /**
     * Installs the parts that were removed from containers since they were made, and hooks the beans that have their
     * listeners by now.
     */
    void installAgain() {
        hooks.forEach(KafkaListenerHook::install);
        beans.getBeansOfType(MessageListenerContainer.class, false, false)
                .values()
                .forEach(container -> IdempotentKafkaEndpoint.of(
                                container.getContainerProperties().getMessageListener())
                        .ifPresent(endpoint -> installInBean(endpoint, container)));
    }

    /** Forgets a container that will not be started any more. */
    void forget(MessageListenerContainer container) {
        hooks.removeIf(hook -> hook.isOf(container));
    }

    /** Returns the settler of a container's records; called once it has been made. */
    KafkaDecisionSettler settler(IdempotentKafkaEndpoint endpoint, MessageListenerContainer container) {
        DeadLetterWay way = RetryTopics.serve(container)
                ? retryTopics.deadLetters(container, deadLetters.way())
                : deadLetters.way();
        return new KafkaDecisionSettler(
                endpoint.toString(), listeners.get().runtime().events(), way, redeliveryDelay, stop(container), failed);
    }

    ContainerStop stop(SmartLifecycle container) {
        return new ContainerStop(container, () -> listeners.get().stops());
    }

    /**
     * Returns the error handler of a container that has none of the application's: like spring-kafka's own, but records
     * whose retries are used up go where idem's dead letters go, and a dead letter that idem has logged already is not
     * logged with a stack trace again. The partition of a record that is too large for that is paused.
     */
    DefaultErrorHandler defaultErrorHandler(IdempotentKafkaEndpoint endpoint, MessageListenerContainer container) {
        return new DefaultErrorHandler((record, failure) -> {
            try {
                givenUp(endpoint, record, failure);
            } catch (KeyInProgressException waiting) {
                partitionPause().onNextBackOff(container, waiting, 0);
                throw waiting;
            }
        });
    }

    private void givenUp(IdempotentKafkaEndpoint endpoint, ConsumerRecord<?, ?> record, Exception failure) {
        if (KafkaDeadLetterException.isCauseOf(failure)) {
            return;
        }
        Throwable cause =
                failure instanceof KafkaException && failure.getCause() != null ? failure.getCause() : failure;
        String described =
                failed.getOrDefault(record, record.topic() + "-" + record.partition() + "@" + record.offset());
        if (deadLetters.areTopics()) {
            if (endpoint.element() instanceof Method method) {
                ListenerDefinition listener = listeners.get().definitions().of(endpoint.bean(), method);
                DeadLetterHeaders.write(
                        record,
                        new DeliveryDecision.DeadLetter(
                                listener.scope(), DeliveryDecision.DeadLetter.reason(cause), 0));
            }
            deadLetters.publish(record, described, failure);
        }
        LOG.warn(
                "{} is given up by the error handler of {}{}: {}",
                described,
                endpoint,
                deadLetters.areTopics()
                        ? ", and is a dead letter"
                        : "; set idem.consumer.kafka.dead-letter.topic-suffix to keep such records",
                cause.toString());
        LOG.debug("{} failed for good", described, failure);
    }

    void checkRetryTopics(IdempotentKafkaEndpoint endpoint) {
        retryTopics.neverRetryDeadLetters();
        retryTopics.check(endpoint.name(), listeners.get().policies(endpoint.bean(), endpoint.element()));
    }

    /** Tells at start of records that a listener may lose as duplicates. */
    void checkSources(
            IdempotentKafkaEndpoint endpoint, ContainerProperties properties, @Nullable String group, Object brokers) {
        String[] topics = properties.getTopics();
        Object pattern = properties.getTopicPattern();
        TopicPartitionOffset[] assigned = properties.getTopicPartitions();
        List<String> sources = topics == null ? List.of(ListenerSources.PATTERN + pattern) : List.of(topics);
        boolean several = topics == null ? pattern != null : topics.length > 1;
        List<String> groups = group == null ? List.of() : List.of(group);
        boolean rewound = assigned != null
                && Stream.of(assigned).anyMatch(from -> from.getOffset() != null || from.getPosition() != null);
        // Assigned partitions are dealt out by nobody, and an array equals no other.
        Object dealer = Arrays.asList(brokers, group, assigned);
        ListenerSources.Read read = new ListenerSources.Read(dealer, sources, several, groups, rewound);
        listeners.get().checkSources(endpoint.bean(), endpoint.element(), read);
    }

    /** Tells at start of a listener that reads from a given offset at each start by other means than its container. */
    public void noteRewinding(DefinedListener listener, Method named) {
        ListenerSources.Read read = new ListenerSources.Read("", List.of(), false, List.of(), true);
        listeners.get().checkSources(listener, named, read);
    }

    private void compareAttempts(KafkaListenerHook hook) {
        retryTopics.compareAttempts(
                hook.endpoint().name(),
                hook.container(),
                listeners.get().policies(hook.endpoint().bean(), hook.endpoint().element()));
    }

    /**
     * Returns the batch listener of an endpoint.
     *
     * @throws ListenerConfigurationException if the method is not suitable for batches
     */
    BatchListener batchListener(IdempotentKafkaEndpoint endpoint) {
        return batches.get().of(endpoint.bean(), (Method) endpoint.element());
    }

    ConsumerSettings settings() {
        return listeners.get().runtime().settings();
    }

    CommittedDeliveries committedDeliveries() {
        return committed;
    }

    PartitionPause partitionPause() {
        return new PartitionPause(timer);
    }

    /** Checks all containers once more, before any of them starts. */
    @Override
    protected void prepare() {
        installAgain();
        hooks.forEach(KafkaListenerHook::check);
        hooks.stream().filter(hook -> RetryTopics.serve(hook.container())).forEach(this::compareAttempts);
        if (!hooks.isEmpty()) {
            LOG.debug("{} Kafka containers are hooked; dead letters go by {}", hooks.size(), deadLetters.way());
        }
    }

    @Override
    public void destroy() {
        timer.shutdownNow();
    }
}
