package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.BatchReport;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A batch, from the answers to its acquire to the decisions by which its messages are settled. Positions count from 0
 * in the order of the messages. Confined to the delivering thread; close it on every path.
 */
public final class ListenerBatch implements AutoCloseable {

    /** Delay of a message whose reason for waiting is over. */
    private static final Duration SOON = Duration.ofMillis(1);

    private final ListenerDefinition listener;
    private final List<BatchedMessage> messages;
    private final BatchEnd end;
    private final BatchPublishing publishing;
    private final ListenerRuntime runtime;
    private List<BatchedMessage> undone = List.of();
    private boolean refusedUnconverted;
    private DeliveryDecision.@Nullable Stop stop;

    ListenerBatch(
            ListenerDefinition listener,
            List<BatchedMessage> messages,
            BatchEnd end,
            BatchPublishing publishing,
            ListenerRuntime runtime) {
        this.listener = listener;
        this.messages = messages;
        this.end = end;
        this.publishing = publishing;
        this.runtime = runtime;
    }

    /** Returns the positions of the messages that the listener is to get, in their order. */
    public List<Integer> toRun() {
        return IntStream.range(0, messages.size())
                .filter(position -> messages.get(position).toRun())
                .boxed()
                .toList();
    }

    /**
     * Returns the decision on a message before the batch runs; empty if the listener is to get it, or if it follows one
     * that it gets.
     */
    public Optional<DeliveryDecision> decided(int position) {
        return messages.get(position).decided();
    }

    /** Returns the decision by which a message is to be settled; only after {@link #run}, or if nothing is to run. */
    public DeliveryDecision decision(int position) {
        return messages.get(position).decision();
    }

    /** Returns the delivery of a message, without a decision: what is logged about it names its record. */
    public Delivery delivery(int position) {
        return messages.get(position).delivery();
    }

    /**
     * Releases messages that could run, because one before them cannot yet and the order matters. Blocks.
     *
     * @param why for logs
     */
    public void withhold(List<Integer> positions, String why) {
        List<BatchedMessage> withheld = positions.stream().map(messages::get).toList();
        end.release(withheld, soon(why));
    }

    /**
     * Hands the messages that are to run to the listener, and settles them. Blocks. If some of them cannot be
     * converted, the listener is not called: those have their decisions then, {@link #toRun} names the others, and
     * these are to be run again.
     *
     * @param handOver hands over exactly the messages of {@link #toRun}
     * @param report what the transport knows of single messages afterwards
     * @return the exception of the listener, or of an advice between it and the delivery hook
     */
    public Optional<Throwable> run(CurrentDelivery.HandOver handOver, BatchReport report) {
        List<BatchedMessage> handedOver =
                messages.stream().filter(BatchedMessage::toRun).toList();
        BatchCall call = new BatchCall(listener.method(), handedOver, report, publishing);
        Optional<Throwable> failure = call.call(handOver);
        List<Integer> unconverted = call.unconverted(failure);
        refusedUnconverted = !unconverted.isEmpty();
        if (refusedUnconverted) {
            unconverted.stream().map(handedOver::get).forEach(this::dropped);
            return Optional.empty();
        }
        List<BatchedMessage> running = call.reached();
        if (running.size() < handedOver.size()) {
            handedOver.stream().filter(message -> !running.contains(message)).forEach(this::dropped);
        }
        stop = stop(call, failure);
        if (stop != null) {
            end.release(running, stop);
            return Optional.empty();
        }
        if (call.returned()) {
            returned(running, report);
        } else if (failure.isPresent()) {
            Throwable cause = report.cause(call.thrown(failure.get()));
            int index = running.size() == 1 ? 0 : report.failedAt(failure.get());
            failed(running, index, cause, call.undone() ? 0 : report.doneBeforeFailure(), call.undone());
        } else {
            // An advice of the application swallowed the failure.
            end.release(running, new DeliveryDecision.Failed(Optional.empty()));
        }
        return failure;
    }

    /**
     * Returns whether the last {@link #run} did not call the listener, because messages could not be converted for it.
     */
    public boolean refusedUnconverted() {
        return refusedUnconverted;
    }

    /**
     * Returns why the listener's container has to be stopped, instead of the result of {@link #run}; empty if it goes
     * on.
     */
    public Optional<DeliveryDecision.Stop> stop() {
        return Optional.ofNullable(stop);
    }

    private DeliveryDecision.@Nullable Stop stop(BatchCall call, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            return UndecidedDelivery.refusal(failure.get()).orElse(null);
        }
        return call.returned() || call.sawFailure()
                ? null
                : UndecidedDelivery.of(ListenerConfigurationException.describe(listener.method()));
    }

    private void dropped(BatchedMessage message) {
        IdempotencyContext context = message.context();
        int attempts = context == null ? 0 : context.attempt();
        String reason = "it could not be converted for its listener";
        end.release(List.of(message), new DeliveryDecision.DeadLetter(listener.scope(), reason, attempts));
    }

    private void returned(List<BatchedMessage> running, BatchReport report) {
        List<Integer> open = report.leaveOpen(
                unsaid -> open(unsaid.stream().map(running::get).toList()));
        if (!open.isEmpty()) {
            open.forEach(index -> running.get(index).decide(new DeliveryDecision.LeftOpen()));
            end.done(IntStream.range(0, running.size())
                    .filter(index -> !open.contains(index))
                    .mapToObj(running::get)
                    .toList());
            return;
        }
        int handedBackFrom = report.handedBackFrom();
        int done = handedBackFrom < 0 ? running.size() : handedBackFrom;
        end.done(running.subList(0, done));
        end.release(running.subList(done, running.size()), soon("its listener handed it back"));
    }

    private OpenWork open(List<BatchedMessage> unfinished) {
        String what = unfinished.size() + " messages of a batch of scope \"" + listener.scope() + "\"";
        OpenWork open = new OpenWork(what, end.open(unfinished));
        open.limit(runtime.outages().longestHold());
        return open;
    }

    private void failed(
            List<BatchedMessage> running, int index, Throwable cause, int acknowledged, boolean rolledBack) {
        if (index < 0 || index >= running.size()) {
            int done = Math.min(acknowledged, running.size());
            end.done(running.subList(0, done));
            end.failedTogether(running.subList(done, running.size()), cause);
            return;
        }
        before(running.subList(0, index), rolledBack);
        end.failed(running.get(index), cause);
        end.release(running.subList(index + 1, running.size()), soon("one before it failed"));
    }

    /**
     * Settles messages that the listener declared done, but that may have been rolled back with the one that failed.
     */
    private void before(List<BatchedMessage> named, boolean rolledBack) {
        if (rolledBack) {
            undone = named;
            end.release(named, soon("it was rolled back with one behind it that failed"));
        } else {
            end.done(named);
        }
    }

    /**
     * Returns the positions of messages that would be done if a message behind them had not failed: without that one
     * they may be.
     */
    public List<Integer> undone() {
        return undone.stream().map(messages::indexOf).toList();
    }

    private DeliveryDecision.Defer soon(String why) {
        return new DeliveryDecision.Defer(listener.scope(), SOON, why);
    }

    /** Releases the keys that were granted and whose messages never ran. */
    @Override
    public void close() {
        try {
            end.release(messages.stream().filter(BatchedMessage::toRun).toList(), soon("it was not run"));
        } finally {
            runtime.inProgress().end();
        }
    }
}
