package io.idem.consumer.kafka;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.definition.ListenerShape;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;
import org.springframework.kafka.transaction.KafkaAwareTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/** Puts the delivery hook into the containers of one listener, after the user's own post-processor. */
final class ContainerHook
        implements ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerHook.class);

    private final int number;
    private final Object bean;
    private final String listener;
    private final @Nullable ContainerPostProcessor<?, ?, ?> users;
    private final KafkaDeliveryHooks hooks;
    private final LateFailures lateFailures = new LateFailures();
    private final RecoveredRecords recovered = new RecoveredRecords();
    private final OpenOffsets open = new OpenOffsets();
    private final List<ContainerCheck> installed = new CopyOnWriteArrayList<>();
    private volatile boolean sharing;

    /**
     * A hook.
     *
     * @param number of the listener in {@link KafkaListenerEnhancer}
     * @param bean whose method it is
     * @param listener its name, for messages
     */
    ContainerHook(
            int number,
            Object bean,
            String listener,
            @Nullable ContainerPostProcessor<?, ?, ?> users,
            KafkaDeliveryHooks hooks) {
        this.number = number;
        this.bean = bean;
        this.listener = listener;
        this.users = users;
        this.hooks = hooks;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void postProcess(AbstractMessageListenerContainer<Object, Object> container) {
        if (users != null) {
            ((ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>>) users)
                    .postProcess(container);
        }
        ContainerCheck check = new ContainerCheck(listener, container);
        check.check();
        check.checkInbox(ListenerShape.asksForInbox(hooks.annotated(number)));
        if (check.late() || check.acknowledgesOpenRecords()) {
            keepOffsetsFromGoingBack(container.getContainerProperties());
        }
        if (container.getContainerProperties().getMessageListener() instanceof BatchMessageListener<?, ?> batches) {
            new BatchContainerCheck(listener, container).check(hooks.annotated(number));
            install(container, (BatchMessageListener<Object, Object>) batches);
        } else {
            install(container);
        }
        installHandlers(container);
        installed.add(check);
    }

    /**
     * Listeners that end late, or acknowledge late. In mode MANUAL_IMMEDIATE a container of spring-kafka 4.1.1 commits what another thread acknowledged after what its own thread
     * acknowledged later, so that the committed offset goes back (docs/upstream.md). In mode MANUAL it takes the greater of both, at
     * its consumer's next turn.
     */
    private void keepOffsetsFromGoingBack(ContainerProperties properties) {
        if (properties.getAckMode() == AckMode.MANUAL_IMMEDIATE) {
            properties.setAckMode(AckMode.MANUAL);
            LOG.info(
                    "@IdempotentListener {} is acknowledged as in mode MANUAL, not MANUAL_IMMEDIATE, in which an acknowledgement"
                            + " of another thread could take its committed offset back",
                    listener);
        }
    }

    /** Hooks the container of a share group. */
    @SuppressWarnings("unchecked")
    void postProcess(ShareKafkaMessageListenerContainer<?, ?> container) {
        new ShareContainerHook(
                        listener,
                        (ShareKafkaMessageListenerContainer<Object, Object>) container,
                        SingletonSupplier.of(hooks::settlement))
                .install();
        sharing = true;
    }

    @SuppressWarnings("unchecked")
    private void install(AbstractMessageListenerContainer<Object, Object> container) {
        PollBudget budget = PollBudget.of(container);
        Duration inPlaceLimit = inPlaceLimit(container, budget);
        MessageListener<Object, Object> own = (MessageListener<Object, Object>)
                Objects.requireNonNull(container.getContainerProperties().getMessageListener());
        Supplier<RecordSettlement> settlement = SingletonSupplier.of(() -> hooks.settlement(container));
        container.setupMessageListener(new IdempotentRecordListener<>(
                own,
                settlement,
                () -> min(hooks.inPlaceWait(), inPlaceLimit),
                budget.hold(),
                () -> !container.isRunning(),
                lateFailures,
                recovered,
                new ContainerCheck(listener, container).acknowledgesByHand() ? open : null,
                transactions(container)));
    }

    private @Nullable CommittedDeliveries transactions(AbstractMessageListenerContainer<?, ?> container) {
        KafkaAwareTransactionManager<?, ?> manager =
                container.getContainerProperties().getKafkaAwareTransactionManager();
        if (manager == null) {
            return null;
        }
        CommittedDeliveries deliveries = hooks.committedDeliveries();
        deliveries.listenTo((ConfigurableTransactionManager) manager);
        return deliveries;
    }

    /** A transactional container has no error handler unless the application gave it one, but rolls back. */
    private void installHandlers(AbstractMessageListenerContainer<Object, Object> container) {
        boolean transactional = container.getContainerProperties().getKafkaAwareTransactionManager() != null;
        if (!transactional || container.getCommonErrorHandler() != null) {
            container.setCommonErrorHandler(busyAware(container));
        }
        if (transactional) {
            AfterRollbackProcessor<? super Object, ? super Object> own = container.getAfterRollbackProcessor();
            neverRetryDeadLetters(own);
            container.setAfterRollbackProcessor(new BusyAwareAfterRollbackProcessor<>(own, hooks.rest()));
        }
    }

    private static void neverRetryDeadLetters(Object handler) {
        if (handler instanceof ExceptionClassifier classifier) {
            classifier.addNotRetryableExceptions(KafkaDeadLetterException.class);
        }
    }

    private void install(
            AbstractMessageListenerContainer<Object, Object> container, BatchMessageListener<Object, Object> own) {
        new BatchHook(
                        container,
                        () -> hooks.batchListener(number, bean),
                        () -> hooks.settlement(container),
                        PollBudget.of(container).hold(),
                        open)
                .install(own);
    }

    /** With observations, a listener that is called twice for one record would end its observation twice. */
    private static Duration inPlaceLimit(AbstractMessageListenerContainer<?, ?> container, PollBudget budget) {
        return container.getContainerProperties().isObservationEnabled() ? Duration.ZERO : budget.inPlace();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private CommonErrorHandler busyAware(AbstractMessageListenerContainer<?, ?> container) {
        CommonErrorHandler configured = container.getCommonErrorHandler();
        // The container's own default, which it would make later.
        CommonErrorHandler own = configured == null ? new DefaultErrorHandler() : configured;
        neverRetryDeadLetters(own);
        ContainerCheck check = new ContainerCheck(listener, container);
        return new BusyAwareErrorHandler(
                own,
                hooks.rest(),
                lateFailures,
                check.late() ? recovered : null,
                check.acknowledgesOpenRecords() ? open : null);
    }

    /**
     * Completes and checks the hooks of every container of the listener.
     *
     * @throws ListenerConfigurationException if one is not hooked
     */
    void check() {
        if (installed.isEmpty() && !sharing) {
            throw KafkaDeliveryHooks.notHooked(listener);
        }
        for (ContainerCheck check : installed) {
            if (RetryTopics.serve(check.container())) {
                hookRetryTopic(check.container());
            }
            check.checkStillHooked();
            if (check.batch()) {
                hooks.batchListener(number, bean);
            }
            if (check.container().getMainListenerId() == null) {
                PollBudget.of(check.container()).compare(listener, hooks.settings());
            }
        }
    }

    /** Spring gives these containers an error handler of their own after the post-processors. */
    private void hookRetryTopic(AbstractMessageListenerContainer<?, ?> container) {
        if (!(container.getCommonErrorHandler() instanceof BusyAwareErrorHandler)) {
            container.setCommonErrorHandler(busyAware(container));
        }
        hooks.checkRetryTopics(number, bean, listener, container);
    }
}
