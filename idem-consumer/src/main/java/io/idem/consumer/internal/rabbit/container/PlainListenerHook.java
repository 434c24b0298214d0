package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.CallWait;
import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import io.idem.consumer.internal.rabbit.message.DeferralErrorHandler;
import io.idem.consumer.internal.rabbit.message.DeferredDeliveryException;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.message.RabbitFailureObserver;
import io.idem.internal.Durations;
import io.idem.internal.NotNow;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * The outermost advice of a container whose listener is not idempotent itself: {@code @Idempotent} methods that the listener calls wait
 * on its thread for a key in progress. A message for which the wait was too short goes back to the broker, and no retry, recoverer or
 * error handler sees it. A listener that settles by itself has its message until it settles it, so its calls wait as long as idem ever
 * holds a delivery. So do those of a container that acknowledges nothing, whose message the broker has forgotten; its failure goes on.
 * Thread-safe; waits on the delivering thread.
 */
record PlainListenerHook(MessageListenerContainer container, Supplier<WaitLimits> limits) implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(PlainListenerHook.class);

    /**
     * Installs the hook in a container that has not started, if it is of a known kind.
     *
     * @param container is no {@code MessageListenerContainer} here: callers of that type do not load under versions of spring-amqp
     *     that idem refuses
     */
    static <C> C install(C container, HookParts parts) {
        MessageListenerContainer any = (MessageListenerContainer) container;
        PlainListenerHook hook = new PlainListenerHook(
                any,
                () -> new WaitLimits(
                        parts.listeners().get(), parts.deferrals().get().inPlace()));
        if (any instanceof AbstractMessageListenerContainer known) {
            known.setAdviceChain(RabbitFailureObserver.chain(hook, new ContainerFacts(known).adviceChain()));
        } else if (AmqpOneContainers.include(any)) {
            AmqpOneContainers.advise(any, hook);
        }
        return container;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        boolean handsBack = !hasMode(AcknowledgeMode.NONE);
        CallWait wait = new CallWait(() -> limit(messages(invocation)), this::isStopping, handsBack);
        while (true) {
            Object value = wait.during(((ProxyMethodInvocation) invocation).invocableClone()::proceed);
            wait.refused().ifPresent(this::stop);
            Optional<NotNow> notNow = wait.notNow();
            if (wait.refused().isPresent()) {
                throw handedBack(messages(invocation), "The listener is stopped");
            }
            if (notNow.isEmpty()) {
                return value;
            }
            if (settlesItself() || !wait.pause(notNow.get())) {
                throw handedBack(
                        messages(invocation), String.valueOf(notNow.get().why().getMessage()));
            }
        }
    }

    private DeferredDeliveryException handedBack(List<Message> messages, String why) {
        LOG.debug("A message goes back to the broker: {}", why);
        messages.stream()
                .filter(message ->
                        !settlesItself() && limits.get().policy().limits().isLostByReturn(message))
                .forEach(message -> LOG.warn(
                        "{} goes back and may be lost by its queue: {}",
                        new RabbitDelivery(message, () -> false),
                        why));
        if (container instanceof AbstractMessageListenerContainer known) {
            DeferralErrorHandler.install(known);
        }
        messages.forEach(message -> message.getMessageProperties().setFinalRetryForMessageWithNoId(false));
        return new DeferredDeliveryException(why, messages.toArray(Message[]::new));
    }

    /** Stops the container, and waits until it takes no more messages. */
    private void stop(ListenerConfigurationException refusal) {
        limits.get().listeners().stops().stopAndWait(container, refusal, this::isStopping);
    }

    /** Returns the messages of a delivery; empty for containers that have them in another form. */
    private static List<Message> messages(MethodInvocation invocation) {
        return Stream.of(invocation.getArguments())
                .flatMap(argument -> argument instanceof Collection<?> batch ? batch.stream() : Stream.of(argument))
                .filter(Message.class::isInstance)
                .map(Message.class::cast)
                .toList();
    }

    private Duration limit(List<Message> messages) {
        boolean stays = settlesItself() || hasMode(AcknowledgeMode.NONE) || messages.isEmpty();
        Duration least = stays ? limits.get().longest() : Duration.ZERO;
        return messages.stream().map(limits.get()::limit).reduce(least, Durations::longer);
    }

    private boolean settlesItself() {
        return hasMode(AcknowledgeMode.MANUAL);
    }

    private boolean hasMode(AcknowledgeMode mode) {
        return container instanceof AbstractMessageListenerContainer known && known.getAcknowledgeMode() == mode;
    }

    private boolean isStopping() {
        return container instanceof AbstractMessageListenerContainer known ? !known.isActive() : !container.isRunning();
    }
}
