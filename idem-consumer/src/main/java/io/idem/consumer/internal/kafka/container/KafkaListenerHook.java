package io.idem.consumer.internal.kafka.container;

import static io.idem.internal.Durations.shorter;

import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.kafka.message.AdvisedListener;
import io.idem.consumer.internal.kafka.message.ConsumerConfigs;
import io.idem.consumer.internal.kafka.message.IdempotentKafkaEndpoint;
import io.idem.consumer.internal.kafka.message.KafkaDecisionSettler;
import io.idem.consumer.internal.kafka.message.KafkaFailureObserver;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * The delivery hook of one container: in front of its listener and of its advices, with an error handler before the
 * application's own that keeps deferrals from it. Installed any number of times, since factories and customizers may
 * change the container meanwhile.
 */
final class KafkaListenerHook {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaListenerHook.class);

    private final IdempotentKafkaEndpoint endpoint;
    private final AbstractMessageListenerContainer<Object, Object> container;
    private final KafkaDeliveryHooks hooks;
    private final ContainerCheck check;
    private final AsyncFailures asyncFailures = new AsyncFailures();
    private final RecoveredConsumerRecords recovered = new RecoveredConsumerRecords();
    private final OpenOffsets open = new OpenOffsets();
    private @Nullable AdvisedListener<?> listener;
    private boolean checked;

    KafkaListenerHook(
            IdempotentKafkaEndpoint endpoint,
            AbstractMessageListenerContainer<Object, Object> container,
            KafkaDeliveryHooks hooks) {
        this.endpoint = endpoint;
        this.container = container;
        this.hooks = hooks;
        this.check = new ContainerCheck(endpoint.name(), container);
    }

    boolean isOf(MessageListenerContainer one) {
        return container == one;
    }

    IdempotentKafkaEndpoint endpoint() {
        return endpoint;
    }

    AbstractMessageListenerContainer<?, ?> container() {
        return container;
    }

    /**
     * Installs the hook, or the missing part of it. Before the container starts.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if the container cannot be made safe
     */
    synchronized void install() {
        if (KeptHook.isIn(container.getContainerProperties())) {
            return;
        }
        List<Advisor> advisors = AdvisedListener.takeAdvisors(container.getContainerProperties());
        check.check();
        check.checkInbox(ListenerShape.asksForInbox(endpoint.element()), hooks.inboxAlways());
        if (check.isAsync() || check.acknowledgesOpenRecords()) {
            keepOffsetsFromGoingBack(container.getContainerProperties());
        }
        AdvisedListener<?> hooked = listener;
        if (hooked == null || !check.isHooked()) {
            hooked = installListener();
            listener = hooked;
        }
        hooked.advise(advisors);
        installHandlers();
    }

    /**
     * Checks the settings that are known once the container is finished; does nothing if they were right already.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if the listener does not fit the container
     */
    synchronized void check() {
        if (checked) {
            return;
        }
        if (RetryTopics.serve(container)) {
            hooks.checkRetryTopics(endpoint);
        }
        if (check.batch()) {
            hooks.batchListener(endpoint);
        }
        ConsumerConfigs configs = ConsumerConfigs.of(container);
        hooks.deadLetters().requireBrokers(endpoint.toString(), configs.values());
        if (hooks.deadLetters().areTopics()) {
            checkLetters(configs);
        }
        if (container.getMainListenerId() == null) {
            PollBudget.of(container).compare(endpoint.name(), hooks.settings());
            Object brokers = ConsumerConfigs.brokersIn(configs.values());
            hooks.checkSources(endpoint, container.getContainerProperties(), container.getGroupId(), brokers);
        }
        checked = true;
    }

    /** Checks that a dead letter is the record that came: idem has of it what its deserializers and interceptors made. */
    private void checkLetters(ConsumerConfigs configs) {
        Optional<Class<?>> changing = configs.changingBytes();
        check.refuse(
                changing.isPresent(),
                "reads bytes that " + changing.map(Class::getName).orElse("") + " has made, such as plain text, and"
                        + " idem.consumer.kafka.dead-letter.topic-suffix would publish those",
                "Use a ByteArrayDeserializer and do it in a RecordMessageConverter, or leave the suffix out and give the"
                        + " container factory an error handler that publishes dead letters");
        if (container.getRecordInterceptor() != null || container.getBatchInterceptor() != null) {
            LOG.info(
                    "{} has an interceptor in its container, and idem.consumer.kafka.dead-letter.topic-suffix is set:"
                            + " if it makes another record of one, such as its plain text, that is what a dead letter holds",
                    endpoint);
        }
    }

    /**
     * Keeps the committed offset from going back for listeners that are asynchronous, or acknowledge after their
     * return. In mode MANUAL_IMMEDIATE a container of spring-kafka 4.1.1 commits another thread's acknowledgement after
     * a later one of its own thread (docs/reports/upstream.md). In mode MANUAL it takes the greater of both, when its
     * consumer polls next.
     */
    private void keepOffsetsFromGoingBack(ContainerProperties properties) {
        if (properties.getAckMode() == AckMode.MANUAL_IMMEDIATE) {
            properties.setAckMode(AckMode.MANUAL);
            LOG.info(
                    "{} is acknowledged as in mode MANUAL, not MANUAL_IMMEDIATE, in which an acknowledgement"
                            + " of another thread could take its committed offset back",
                    endpoint);
        }
    }

    @SuppressWarnings("unchecked")
    private AdvisedListener<?> installListener() {
        Object own = Objects.requireNonNull(container.getContainerProperties().getMessageListener());
        Supplier<KafkaDecisionSettler> settler = SingletonSupplier.of(() -> hooks.settler(endpoint, container));
        if (own instanceof BatchMessageListener<?, ?> batches) {
            new BatchContainerCheck(check).check(endpoint.element());
            return new BatchHook(
                            container,
                            SingletonSupplier.of(() -> hooks.batchListener(endpoint)),
                            settler,
                            PollBudget.of(container).hold(),
                            open)
                    .install((BatchMessageListener<Object, Object>) batches);
        }
        AdvisedListener<MessageListener<Object, Object>> listened =
                new AdvisedListener<>(KafkaFailureObserver.watchFilter((MessageListener<Object, Object>) own));
        container.setupMessageListener(hook(listened, settler));
        return listened;
    }

    private IdempotentRecordListener<Object, Object> hook(
            AdvisedListener<MessageListener<Object, Object>> own, Supplier<KafkaDecisionSettler> settler) {
        PollBudget budget = PollBudget.of(container);
        Duration inPlaceLimit = inPlaceLimit(budget);
        return new IdempotentRecordListener<>(
                own,
                settler,
                () -> shorter(hooks.settings().inPlaceWait(), inPlaceLimit),
                budget.hold(),
                () -> !container.isRunning(),
                asyncFailures,
                recovered,
                check.acknowledgesByHand() ? open : null,
                transactions());
    }

    private @Nullable CommittedDeliveries transactions() {
        KafkaAwareTransactionManager<?, ?> manager =
                container.getContainerProperties().getKafkaAwareTransactionManager();
        if (manager == null) {
            return null;
        }
        CommittedDeliveries deliveries = hooks.committedDeliveries();
        deliveries.listenTo((ConfigurableTransactionManager) manager);
        return deliveries;
    }

    /**
     * Installs the error handling. A transactional container has no error handler unless the application gave it one,
     * but rolls back.
     */
    private void installHandlers() {
        boolean transactional = container.getContainerProperties().getKafkaAwareTransactionManager() != null;
        CommonErrorHandler handler = container.getCommonErrorHandler();
        if (!(handler instanceof InProgressErrorHandler) && (!transactional || handler != null)) {
            container.setCommonErrorHandler(withPauses(handler));
        }
        AfterRollbackProcessor<? super Object, ? super Object> own = container.getAfterRollbackProcessor();
        if (transactional && !(own instanceof InProgressAfterRollbackProcessor)) {
            neverRetryDeadLetters(own);
            container.setAfterRollbackProcessor(new InProgressAfterRollbackProcessor<>(own, hooks.partitionPause()));
        }
    }

    private static void neverRetryDeadLetters(Object handler) {
        if (handler instanceof ExceptionClassifier classifier) {
            classifier.addNotRetryableExceptions(KafkaDeadLetterException.class);
        }
    }

    private CommonErrorHandler withPauses(@Nullable CommonErrorHandler configured) {
        // The container would make its own default later.
        CommonErrorHandler own = configured == null ? hooks.defaultErrorHandler(endpoint, container) : configured;
        neverRetryDeadLetters(own);
        return new InProgressErrorHandler(
                own,
                hooks.partitionPause(),
                asyncFailures,
                check.isAsync() ? recovered : null,
                check.acknowledgesOpenRecords() ? open : null);
    }

    /**
     * Returns the limit of the wait in place; none with observations, because a listener that is called twice for one
     * record would end its observation twice.
     */
    private Duration inPlaceLimit(PollBudget budget) {
        return container.getContainerProperties().isObservationEnabled() ? Duration.ZERO : budget.inPlace();
    }
}
