package io.idem.consumer.kafka;

import io.idem.consumer.ListenerConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.MessageListener;

/** Puts the delivery hook into the containers of one listener, after the user's own post-processor. */
final class ContainerHook
        implements ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> {

    private final String listener;
    private final @Nullable ContainerPostProcessor<?, ?, ?> users;
    private final KafkaDeliveryHooks hooks;
    private final List<ContainerCheck> installed = new CopyOnWriteArrayList<>();

    ContainerHook(String listener, @Nullable ContainerPostProcessor<?, ?, ?> users, KafkaDeliveryHooks hooks) {
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
        install(container);
        installed.add(check);
    }

    @SuppressWarnings("unchecked")
    private void install(AbstractMessageListenerContainer<Object, Object> container) {
        Duration inPlaceLimit = inPlaceLimit(container);
        MessageListener<Object, Object> own = (MessageListener<Object, Object>)
                Objects.requireNonNull(container.getContainerProperties().getMessageListener());
        container.setupMessageListener(new IdempotentRecordListener<>(
                own, hooks::settlement, () -> min(hooks.inPlaceWait(), inPlaceLimit), () -> !container.isRunning()));
        container.setCommonErrorHandler(busyAware(container.getCommonErrorHandler()));
    }

    /** With observations, a listener that is called twice for one record would end its observation twice. */
    private static Duration inPlaceLimit(AbstractMessageListenerContainer<?, ?> container) {
        ConsumerConfigs consumer = ConsumerConfigs.of(container);
        return container.getContainerProperties().isObservationEnabled()
                ? Duration.ZERO
                : consumer.maxPollInterval().dividedBy(2L * consumer.maxPollRecords());
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private CommonErrorHandler busyAware(@Nullable CommonErrorHandler configured) {
        // The container's own default, which it would make later.
        CommonErrorHandler own = configured == null ? new DefaultErrorHandler() : configured;
        if (own instanceof ExceptionClassifier classifier) {
            classifier.addNotRetryableExceptions(KafkaDeadLetterException.class);
        }
        return new BusyAwareErrorHandler(own, hooks.rest());
    }

    /**
     * Checks that every container of the listener is hooked.
     *
     * @throws ListenerConfigurationException if not
     */
    void check() {
        if (installed.isEmpty()) {
            throw KafkaDeliveryHooks.notHooked(listener);
        }
        installed.forEach(ContainerCheck::checkStillHooked);
    }
}
