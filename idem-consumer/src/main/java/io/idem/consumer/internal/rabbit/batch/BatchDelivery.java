package io.idem.consumer.internal.rabbit.batch;

import com.rabbitmq.client.Channel;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.batch.ListenerBatch;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.rabbit.defer.DelayedMessage;
import io.idem.consumer.internal.rabbit.message.AckRun;
import io.idem.consumer.internal.rabbit.message.ChannelDeliveries;
import io.idem.consumer.internal.rabbit.message.ManualChannels;
import io.idem.consumer.internal.rabbit.message.RabbitDecisionSettler;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A batch that a container delivers. Messages that may run are run and settled, one by one; messages that cannot run
 * now wait and are tried again, and a dead letter that no queue takes is published again, until the wait is over.
 * Confined to the delivering thread, which it blocks.
 */
public final class BatchDelivery {

    private final BatchParts parts;
    private final MethodInvocation invocation;
    private final Channel channel;
    private @Nullable Throwable failure;

    public BatchDelivery(BatchParts parts, MethodInvocation invocation, Channel channel) {
        this.parts = parts;
        this.invocation = invocation;
        this.channel = channel;
    }

    public void deliver(List<Message> messages) throws Exception {
        messages.forEach(this::prepare);
        List<WaitingMessage> waiting = refuseProducersBatches(messages);
        List<Message> single =
                messages.stream().filter(message -> !isProducersBatch(message)).toList();
        waiting.addAll(takenOver(attempt(single, !waiting.isEmpty())));
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

    /**
     * Returns whether a message is a producer's batch: its messages share one header table, so one key, and all but one
     * would be dropped.
     */
    private static boolean isProducersBatch(Message message) {
        return message.getMessageProperties().getHeaders().containsKey(MessageProperties.SPRING_BATCH_FORMAT);
    }

    /** Returns the messages whose dead letter no queue takes yet. */
    private List<WaitingMessage> refuseProducersBatches(List<Message> messages) throws Exception {
        List<WaitingMessage> waiting = new ArrayList<>();
        for (Message message : messages) {
            if (isProducersBatch(message)) {
                String reason = "it is a batch of messages with one key; publish them one by one";
                DeliveryDecision.DeadLetter letter =
                        new DeliveryDecision.DeadLetter(parts.listener().scope(), reason, 0);
                deadLetter(new Delivery(parts.delivered(message)), letter).ifPresent(waiting::add);
            }
        }
        return waiting;
    }

    /**
     * Runs and settles the messages that may run, and returns the others.
     *
     * @param othersOpen whether messages of the batch that are not among these are unsettled
     */
    private List<WaitingMessage> attempt(List<Message> messages, boolean othersOpen) throws Exception {
        try (ListenerBatch batch = parts.listener().acquire(delivered(messages), Delivery.UNBOUNDED)) {
            Optional<Throwable> thrown = run(batch, messages);
            batch.stop().ifPresent(stop -> parts.stop().accept(stop.refusal()));
            thrown.ifPresent(this::note);
            FailedBatchPolicy.Disposition failed =
                    thrown.map(parts.policy()::of).orElseGet(parts.policy()::swallowed);
            return settle(batch, messages, failed, new AckRun(channel, othersOpen || isAnythingLeftOpen()));
        } catch (ListenerConfigurationException refusal) {
            parts.stop().accept(refusal);
            for (Message message : messages) {
                handBack(message);
            }
            return List.of();
        }
    }

    private List<RabbitDelivery> delivered(List<Message> messages) {
        parts.limits()
                .requireNoStream(
                        messages, "The listener of scope " + parts.listener().scope());
        return messages.stream().map(parts::delivered).toList();
    }

    private boolean isAnythingLeftOpen() {
        ChannelDeliveries deliveries = deliveries();
        return deliveries != null && !deliveries.isEmpty();
    }

    private @Nullable ChannelDeliveries deliveries() {
        ManualChannels channels = parts.manualChannels();
        return channels == null ? null : channels.of(channel);
    }

    /** Hands back a message whose listener is stopped. */
    private void handBack(Message message) throws IOException {
        settler(message)
                .defer(new DeliveryDecision.Defer(parts.listener().scope(), Duration.ZERO, "its listener is stopped"));
    }

    private Optional<Throwable> run(ListenerBatch batch, List<Message> messages) {
        List<Message> running = batch.toRun().stream().map(messages::get).toList();
        if (running.isEmpty()) {
            return Optional.empty();
        }
        BatchChannel report = new BatchChannel(channel, running, deliveries());
        Object[] arguments = {report.forListener(), running};
        MethodInvocation attempt = ((ProxyMethodInvocation) invocation).invocableClone(arguments);
        return batch.run(attempt::proceed, report);
    }

    /** Notes a failure. An error is thrown: it ends the consumer, and its messages come again unsettled. */
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

    private List<WaitingMessage> settle(
            ListenerBatch batch, List<Message> messages, FailedBatchPolicy.Disposition failed, AckRun acknowledged)
            throws Exception {
        List<WaitingMessage> waiting = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            DeliveryDecision decision = batch.decision(i);
            if (RabbitDecisionSettler.isDone(decision)) {
                acknowledged.add(message.getMessageProperties().getDeliveryTag());
            } else if (decision instanceof DeliveryDecision.LeftOpen) {
                acknowledged.leaveOpen();
            } else if (decision instanceof DeliveryDecision.Defer deferral) {
                acknowledged.leaveOpen();
                waiting.add(new WaitingMessage(batch.delivery(i), deferral));
            } else {
                acknowledged.send();
                Optional<WaitingMessage> refused = settleOther(batch.delivery(i), decision, failed);
                if (refused.isPresent()) {
                    acknowledged.leaveOpen();
                    waiting.add(refused.get());
                }
            }
        }
        acknowledged.send();
        return waiting;
    }

    private Optional<WaitingMessage> settleOther(
            Delivery delivery, DeliveryDecision decision, FailedBatchPolicy.Disposition failed) throws Exception {
        Optional<DeliveryDecision.DeadLetter> letter = letter(decision);
        if (letter.isPresent()) {
            return deadLetter(delivery, letter.get());
        }
        if (decision instanceof DeliveryDecision.Failed) {
            settler(delivery).failed(failed);
        } else if (decision instanceof DeliveryDecision.Stop) {
            handBack((Message) delivery.message().source());
        } else {
            settle(delivery, decision);
        }
        return Optional.empty();
    }

    private static Optional<DeliveryDecision.DeadLetter> letter(DeliveryDecision decision) {
        if (decision instanceof DeliveryDecision.Failed failed) {
            return failed.rejection();
        }
        return decision instanceof DeliveryDecision.DeadLetter letter ? Optional.of(letter) : Optional.empty();
    }

    /**
     * Publishes a dead letter. Returns the message if no queue takes it: it waits beside the others rather than before
     * them.
     */
    private Optional<WaitingMessage> deadLetter(Delivery delivery, DeliveryDecision.DeadLetter letter)
            throws Exception {
        return parts.decisionSettler()
                .tryDeadLetter(delivery, settler(delivery), letter)
                .map(refused -> new WaitingMessage(delivery, refused, Optional.of(letter)));
    }

    private void settle(Delivery delivery, DeliveryDecision decision) throws Exception {
        parts.decisionSettler().settle(delivery, settler(delivery), decision, Duration.ZERO);
    }

    private TagSettler settler(Delivery delivery) {
        return settler((Message) delivery.message().source());
    }

    private TagSettler settler(Message message) {
        return new TagSettler(channel, message.getMessageProperties().getDeliveryTag());
    }

    private List<WaitingMessage> takenOver(List<WaitingMessage> waiting) throws Exception {
        List<WaitingMessage> inPlace = new ArrayList<>(waiting.size());
        for (WaitingMessage one : waiting) {
            Optional<DeliveryDecision> moved = parts.limits().moved(one.delivery(), one.deferral());
            if (moved.isPresent()) {
                settle(one.delivery(), moved.get());
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
            waiting = again(waiting);
        }
        return waiting;
    }

    private List<WaitingMessage> again(List<WaitingMessage> waiting) throws Exception {
        List<WaitingMessage> still = new ArrayList<>();
        List<Message> asking = new ArrayList<>(waiting.size());
        for (WaitingMessage one : waiting) {
            if (one.letter().isPresent()) {
                deadLetter(one.delivery(), one.letter().get()).ifPresent(still::add);
            } else {
                asking.add(one.message());
            }
        }
        if (!asking.isEmpty()) {
            still.addAll(attempt(asking, !still.isEmpty()));
        }
        return still;
    }

    private void handBack(List<WaitingMessage> waiting) throws Exception {
        for (WaitingMessage one : waiting) {
            parts.limits().warnOfReturn(one.delivery(), one.deferral());
            settle(one.delivery(), one.deferral());
        }
    }
}
