package io.idem.consumer.kafka;

import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.batch.BatchListener;
import io.idem.consumer.call.BatchListeners;
import io.idem.consumer.call.IdempotentListeners;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;
import org.springframework.kafka.retrytopic.RetryTopicBeanNames;
import org.springframework.util.StringUtils;

/**
 * Gives every container of an {@link io.idem.consumer.IdempotentListener} its delivery hook. The annotation is pointed here
 * by {@link KafkaListenerEnhancer}; refuses to start containers that could not be hooked. Thread-safe.
 */
public final class KafkaDeliveryHooks implements SmartLifecycle, DisposableBean {

    /** Name under which annotations find this bean. */
    public static final String BEAN_NAME = "idempotentKafkaDeliveryHooks";

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDeliveryHooks.class);

    private final BeanFactory beans;
    private final Supplier<IdempotentListeners> listeners;
    private final Supplier<BatchListeners> batches;
    private final KafkaListenerEnhancer enhancer;
    private final Duration redeliveryDelay;
    private final KafkaDeadLetters deadLetters;
    private final RetryTopics retryTopics;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread daemon = new Thread(task, "idem-kafka-rest");
        daemon.setDaemon(true);
        return daemon;
    });
    private final List<ContainerHook> hooks = new CopyOnWriteArrayList<>();
    private final CommittedDeliveries committed = new CommittedDeliveries();
    private volatile boolean running;

    /**
     * Hooks for the listeners of an application.
     *
     * @param beans where containerPostProcessors that users name are looked up
     * @param enhancer knows which listeners there are
     * @param listeners asked at the first record
     * @param batches asked before the first batch
     * @param settings of the Kafka transport
     * @param deadLetters where the records go that are refused for good
     */
    public KafkaDeliveryHooks(
            BeanFactory beans,
            KafkaListenerEnhancer enhancer,
            Supplier<IdempotentListeners> listeners,
            Supplier<BatchListeners> batches,
            KafkaSettings settings,
            KafkaDeadLetters deadLetters) {
        this.beans = beans;
        this.listeners = listeners;
        this.batches = batches;
        this.enhancer = enhancer;
        this.redeliveryDelay = settings.redeliveryDelay();
        this.deadLetters = deadLetters;
        this.retryTopics = new RetryTopics(() -> beans.getBean(
                RetryTopicBeanNames.DESTINATION_TOPIC_RESOLVER_BEAN_NAME, DestinationTopicResolver.class));
    }

    /**
     * The post-processor for a listener that has none of its own.
     *
     * @param listener number of {@link KafkaListenerEnhancer}
     * @param bean that it is a method of
     */
    public ContainerPostProcessor<?, ?, ?> hook(int listener, Object bean) {
        return hooked(listener, bean, null);
    }

    /**
     * The post-processor for a listener whose user set one, which goes first.
     *
     * @param users a {@link ContainerPostProcessor}, or the name of such a bean
     */
    public ContainerPostProcessor<?, ?, ?> hook(int listener, Object bean, @Nullable Object users) {
        if (users instanceof ContainerPostProcessor<?, ?, ?> processor) {
            return hooked(listener, bean, processor);
        }
        return users instanceof String name && StringUtils.hasText(name)
                ? hooked(listener, bean, beans.getBean(name, ContainerPostProcessor.class))
                : hook(listener, bean);
    }

    private ContainerHook hooked(int listener, Object bean, @Nullable ContainerPostProcessor<?, ?, ?> users) {
        String name = KafkaListenerEnhancer.describe(enhancer.listener(listener));
        ContainerHook hook = new ContainerHook(listener, bean, name, users, this);
        hooks.add(hook);
        return hook;
    }

    /** How a container's records are settled; asked once it has been made. */
    RecordSettlement settlement(AbstractMessageListenerContainer<?, ?> container) {
        DeadLetterWay way = RetryTopics.serve(container)
                ? retryTopics.deadLetters(container, deadLetters.way())
                : deadLetters.way();
        return settlement(way);
    }

    /** How records of share groups are settled. */
    RecordSettlement settlement() {
        return settlement(deadLetters.way());
    }

    private RecordSettlement settlement(DeadLetterWay way) {
        return new RecordSettlement(listeners.get().events(), way, redeliveryDelay);
    }

    void checkRetryTopics(int listener, Object bean, String name, AbstractMessageListenerContainer<?, ?> container) {
        retryTopics.neverRetryDeadLetters();
        retryTopics.check(name, container, listeners.get().policies(bean, enhancer.listener(listener)));
    }

    /** What carries the {@code @KafkaListener} of this number. */
    AnnotatedElement annotated(int listener) {
        return enhancer.listener(listener);
    }

    /** @throws ListenerConfigurationException if the method cannot be right for batches */
    BatchListener batchListener(int listener, Object bean) {
        return batches.get().of(bean, (Method) annotated(listener));
    }

    ConsumerSettings settings() {
        return listeners.get().settings();
    }

    Duration inPlaceWait() {
        return settings().inPlaceWait();
    }

    CommittedDeliveries committedDeliveries() {
        return committed;
    }

    PartitionRest rest() {
        return new PartitionRest(timer);
    }

    /** Checks, before any container starts. */
    @Override
    public void start() {
        hooks.forEach(ContainerHook::check);
        if (!hooks.isEmpty()) {
            LOG.debug("{} Kafka listeners are hooked; dead letters go by {}", hooks.size(), deadLetters.way());
        }
        running = true;
    }

    static ListenerConfigurationException notHooked(String listener) {
        return new ListenerConfigurationException(
                "@IdempotentListener " + listener + " is delivered to by a container that idem cannot hook into:"
                        + " a KafkaListenerContainerFactory of another kind, or a factory of share groups that is final or"
                        + " in a native image",
                "Use a ConcurrentKafkaListenerContainerFactory or a ShareKafkaListenerContainerFactory",
                null);
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before all containers, whatever phase they have. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void destroy() {
        timer.shutdownNow();
    }
}
