package io.idem.consumer.rabbit;

import com.rabbitmq.client.Channel;
import io.idem.consumer.batch.ListenerBatch;
import io.idem.consumer.delivery.Delivery;
import io.idem.consumer.delivery.DeliveryVerdict;
import io.idem.consumer.delivery.InPlaceWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * One batch that a container delivers: what may run is run and settled, message by message; what cannot run now waits and is asked for
 * again, until its patience ends. Confined to the delivering thread, which it blocks.
 */
final class BatchDelivery {

    private final BatchParts parts;
    private final MethodInvocation invocation;
    private final Channel channel;
    private @Nullable Throwable failure;

    BatchDelivery(BatchParts parts, MethodInvocation invocation, Channel channel) {
        this.parts = parts;
        this.invocation = invocation;
        this.channel = channel;
    }

    void deliver(List<Message> messages) throws Exception {
        messages.forEach(this::prepare);
        List<WaitingMessage> waiting = takenOver(attempt(withoutProducersBatches(messages)));
        if (!waiting.isEmpty()) {
            handBack(outlast(waiting));
        }
        if (failure != null) {
            throw FailedBatchPolicy.settled(failure, messages);
        }
    }

    private void prepare(Message message) {
        DelayedMessage.restore(message);
        parts.elementType().ifPresent(message.getMessageProperties()::setInferredArgumentType);
    }

    /** The messages of a producer's batch share one header table, so one key: all but one would be dropped. */
    private List<Message> withoutProducersBatches(List<Message> messages) throws Exception {
        List<Message> single = new ArrayList<>(messages.size());
        for (Message message : messages) {
            if (message.getMessageProperties().getHeaders().containsKey(MessageProperties.SPRING_BATCH_FORMAT)) {
                settle(
                        message,
                        new DeliveryVerdict.DeadLetter(
                                parts.listener().scope(),
                                "it is a batch of messages with one key; publish them one by one",
                                0));
            } else {
                single.add(message);
            }
        }
        return single;
    }

    /** Runs and settles what may run; the rest is the answer. */
    private List<WaitingMessage> attempt(List<Message> messages) throws Exception {
        List<RabbitDeliveredMessage> delivered = messages.stream()
                .map(message -> new RabbitDeliveredMessage(message, parts.stopping()))
                .toList();
        try (ListenerBatch batch = parts.listener().acquire(delivered, parts.longestHold())) {
            Optional<Throwable> thrown = run(batch, messages);
            thrown.ifPresent(this::note);
            return settle(batch, messages, thrown.map(parts.policy()::of).orElseGet(parts.policy()::swallowed));
        }
    }

    private Optional<Throwable> run(ListenerBatch batch, List<Message> messages) {
        List<Message> running = batch.toRun().stream().map(messages::get).toList();
        if (running.isEmpty()) {
            return Optional.empty();
        }
        BatchChannel report = new BatchChannel(channel, running);
        Object[] arguments = {report.forListener(), running};
        MethodInvocation attempt = ((ProxyMethodInvocation) invocation).invocableClone(arguments);
        return batch.run(attempt::proceed, report);
    }

    /** An error ends the consumer, and its messages come again: nothing is settled. */
    private void note(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }

    private List<WaitingMessage> settle(ListenerBatch batch, List<Message> messages, FailedBatchPolicy.Fate failed)
            throws Exception {
        List<WaitingMessage> waiting = new ArrayList<>();
        AckRun acknowledged = new AckRun(channel);
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            DeliveryVerdict verdict = batch.verdict(i);
            if (VerdictSettlement.isDone(verdict)) {
                acknowledged.add(message.getMessageProperties().getDeliveryTag());
            } else if (verdict instanceof DeliveryVerdict.Defer deferral) {
                acknowledged.leaveOpen();
                waiting.add(new WaitingMessage(message, deferral));
            } else {
                acknowledged.send();
                settleOther(message, verdict, failed);
            }
        }
        acknowledged.send();
        return waiting;
    }

    private void settleOther(Message message, DeliveryVerdict verdict, FailedBatchPolicy.Fate failed) throws Exception {
        if (verdict instanceof DeliveryVerdict.Failed failure) {
            settleFailed(message, failure, failed);
        } else {
            settle(message, verdict);
        }
    }

    private void settleFailed(Message message, DeliveryVerdict.Failed verdict, FailedBatchPolicy.Fate fate)
            throws Exception {
        if (verdict.rejection().isPresent()) {
            settle(message, verdict.rejection().get());
        } else {
            settler(message).failed(fate);
        }
    }

    private void settle(Message message, DeliveryVerdict verdict) throws Exception {
        Delivery delivery = new Delivery(new RabbitDeliveredMessage(message, parts.stopping()));
        parts.settlement().settle(delivery, settler(message), verdict);
    }

    private TagSettler settler(Message message) {
        return new TagSettler(channel, message.getMessageProperties().getDeliveryTag());
    }

    private List<WaitingMessage> takenOver(List<WaitingMessage> waiting) throws Exception {
        List<WaitingMessage> inPlace = new ArrayList<>(waiting.size());
        for (WaitingMessage one : waiting) {
            Optional<DeliveryVerdict> moved = parts.patience().moved(one.delivered(parts), one.deferral());
            if (moved.isPresent()) {
                settle(one.message(), moved.get());
            } else {
                inPlace.add(one);
            }
        }
        return inPlace;
    }

    private List<WaitingMessage> outlast(List<WaitingMessage> first) throws Exception {
        List<WaitingMessage> waiting = first;
        InPlaceWait wait = new InPlaceWait(WaitingMessage.limit(first, parts), parts.stopping());
        while (!waiting.isEmpty() && wait.pause(WaitingMessage.soonest(waiting))) {
            waiting = attempt(WaitingMessage.messages(waiting));
        }
        return waiting;
    }

    private void handBack(List<WaitingMessage> waiting) throws Exception {
        for (WaitingMessage one : waiting) {
            settle(one.message(), one.deferral());
        }
    }
}
