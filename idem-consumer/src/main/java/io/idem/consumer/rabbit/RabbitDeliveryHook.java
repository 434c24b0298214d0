package io.idem.consumer.rabbit;

import com.rabbitmq.client.Channel;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.CurrentDelivery;
import io.idem.consumer.Delivery;
import io.idem.consumer.DeliveryVerdict;
import io.idem.consumer.IdempotentListeners;
import io.idem.consumer.InPlaceWait;
import java.time.Duration;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Settles the deliveries of one container by the deciding interceptor's verdict. The outermost advice of the container, so
 * that no retry and no recoverer sees a deferral. Thread-safe; waits on the delivering thread.
 */
final class RabbitDeliveryHook implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitDeliveryHook.class);

    private final IdempotentListeners listeners;
    private final DeadLetters deadLetters;
    private @Nullable AbstractMessageListenerContainer container;

    RabbitDeliveryHook(IdempotentListeners listeners, DeadLetters deadLetters) {
        this.listeners = listeners;
        this.deadLetters = deadLetters;
    }

    /** Tells it whose deliveries it settles; before the container starts. */
    void attach(AbstractMessageListenerContainer to) {
        container = to;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Channel channel = (Channel) invocation.getArguments()[0];
        Message message = single(invocation.getArguments()[1]);
        Delivery delivery = new Delivery(new RabbitDeliveredMessage(message, this::stopping));
        Settler settler = isManual()
                ? new ManualSettler(invocation, channel, message, delivery)
                : new AutoSettler(invocation, message);
        deliver(delivery, settler);
        return null;
    }

    private void deliver(Delivery delivery, Settler settler) throws Throwable {
        InPlaceWait wait = new InPlaceWait(listeners.settings().inPlaceWait(), this::stopping);
        Optional<DeliveryVerdict> verdict = attempt(delivery, settler);
        while (verdict.isPresent()
                && verdict.get() instanceof DeliveryVerdict.Defer deferral
                && wait.pause(deferral.retryAfter())) {
            verdict = attempt(delivery, settler);
        }
        settle(delivery, settler, verdict.orElseGet(DeliveryVerdict.Ran::new));
    }

    private Optional<DeliveryVerdict> attempt(Delivery delivery, Settler settler) throws Throwable {
        delivery.reset();
        try {
            CurrentDelivery.callWith(delivery, settler.attempt()::proceed);
            return delivery.verdict();
        } catch (Throwable failure) {
            return Optional.of(failed(delivery, settler, failure));
        }
    }

    /** The container's policy acts on failures, unless the record says that no retry can help. */
    private static DeliveryVerdict failed(Delivery delivery, Settler settler, Throwable failure) throws Throwable {
        DeliveryVerdict verdict = delivery.verdict().orElseGet(() -> new DeliveryVerdict.Failed(Optional.empty()));
        if (verdict instanceof DeliveryVerdict.Failed known && known.rejection().isPresent()) {
            LOG.warn("{} failed for good", delivery.message(), failure);
            return known.rejection().get();
        }
        letFail(verdict, settler, failure);
        throw failure;
    }

    private static void letFail(DeliveryVerdict verdict, Settler settler, Throwable failure) {
        try {
            if (verdict instanceof DeliveryVerdict.Refused) {
                settler.refused(failure);
            } else {
                settler.failed(failure);
            }
        } catch (Exception second) {
            failure.addSuppressed(second);
        }
    }

    private void settle(Delivery delivery, Settler settler, DeliveryVerdict verdict) throws Exception {
        if (verdict instanceof DeliveryVerdict.Defer deferral) {
            defer(delivery, settler, deferral);
        } else if (verdict instanceof DeliveryVerdict.DeadLetter deadLetter) {
            deadLetter(delivery, settler, deadLetter);
        } else if (ranInListener(verdict)) {
            settler.finished();
        } else {
            settler.acknowledge();
        }
    }

    private static boolean ranInListener(DeliveryVerdict verdict) {
        return verdict instanceof DeliveryVerdict.Ran
                || verdict instanceof DeliveryVerdict.Failed
                || verdict instanceof DeliveryVerdict.HandedBack;
    }

    private void defer(Delivery delivery, Settler settler, DeliveryVerdict.Defer verdict) throws Exception {
        LOG.info("{} goes back to the broker for scope \"{}\": {}", delivery.message(), verdict.scope(), verdict.why());
        listeners
                .events()
                .publish(new ConsumerEvent.Deferred(
                        verdict.scope(), RabbitDeliveredMessage.TRANSPORT, verdict.retryAfter()));
        settler.defer(verdict);
    }

    private void deadLetter(Delivery delivery, Settler settler, DeliveryVerdict.DeadLetter verdict) throws Exception {
        DeadLetters.Result result = deadLetters.publish(delivery.message(), verdict);
        if (result == DeadLetters.Result.REFUSED) {
            defer(
                    delivery,
                    settler,
                    new DeliveryVerdict.Defer(verdict.scope(), Duration.ZERO, "its dead letter was not confirmed"));
            return;
        }
        LOG.error("{} is a dead letter of scope \"{}\": {}", delivery.message(), verdict.scope(), verdict.reason());
        listeners
                .events()
                .publish(new ConsumerEvent.DeadLettered(
                        verdict.scope(), RabbitDeliveredMessage.TRANSPORT, verdict.reason()));
        if (result == DeadLetters.Result.CONFIRMED) {
            settler.acknowledge();
        } else {
            settler.reject(verdict);
        }
    }

    /** A producer's batch shares one header table, so its messages share one key and all but one would be dropped. */
    private static Message single(Object data) {
        if (!(data instanceof Message message)) {
            throw new IllegalStateException("Batches were refused at start-up, but got "
                    + data.getClass().getName());
        }
        if (message.getMessageProperties().getHeaders().containsKey(MessageProperties.SPRING_BATCH_FORMAT)) {
            throw new ListenerExecutionFailedException(
                    "A batch of messages with one key cannot be told apart; publish them one by one",
                    new IllegalArgumentException(
                            "Header " + MessageProperties.SPRING_BATCH_FORMAT + " is not supported"),
                    message);
        }
        return message;
    }

    private boolean isManual() {
        return container != null && container.getAcknowledgeMode() == AcknowledgeMode.MANUAL;
    }

    private boolean stopping() {
        return container != null && !container.isActive();
    }
}
