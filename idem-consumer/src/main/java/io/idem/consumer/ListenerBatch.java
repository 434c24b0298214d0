package io.idem.consumer;

import io.idem.IdempotencyContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One batch, from the answers to its acquire to the verdicts by which its messages are settled. Positions count from 0 in the order
 * of the messages. Confined to the delivering thread; close it on every path.
 */
public final class ListenerBatch implements AutoCloseable {

    private final ListenerDefinition listener;
    private final List<BatchedMessage> messages;
    private final BatchEnd end;

    ListenerBatch(ListenerDefinition listener, List<BatchedMessage> messages, BatchEnd end) {
        this.listener = listener;
        this.messages = messages;
        this.end = end;
    }

    /** Positions of the messages that the listener is to get, in their order. */
    public List<Integer> toRun() {
        return IntStream.range(0, messages.size())
                .filter(position -> messages.get(position).toRun())
                .boxed()
                .toList();
    }

    /** What is known of a message before the batch runs; empty if the listener is to get it, or if it follows one that it gets. */
    public Optional<DeliveryVerdict> decided(int position) {
        return messages.get(position).decided();
    }

    /** The verdict by which a message is to be settled; only after {@link #run}, or if nothing is to run. */
    public DeliveryVerdict verdict(int position) {
        return messages.get(position).verdict();
    }

    /**
     * Gives messages back that could run, because one before them cannot yet and the order matters. Blocks.
     *
     * @param why for logs
     */
    public void withhold(List<Integer> positions, String why) {
        List<BatchedMessage> withheld = positions.stream().map(messages::get).toList();
        end.giveBack(withheld, new DeliveryVerdict.Defer(listener.scope(), Duration.ZERO, why));
    }

    /**
     * Hands what is to run to the listener, and settles it. Blocks.
     *
     * @param handOver hands over exactly the messages of {@link #toRun}
     * @param failedAt which of those the exception is about, as an index into {@link #toRun}: the ones before it are done. -1 if
     *     that is unknown
     * @return what the listener, or whatever is between it and the delivery hook, threw
     */
    public Optional<Throwable> run(CurrentDelivery.HandOver handOver, ToIntFunction<Throwable> failedAt) {
        List<BatchedMessage> running =
                messages.stream().filter(BatchedMessage::toRun).toList();
        BatchCall call = new BatchCall(listener.method(), contexts(running));
        Optional<Throwable> failure = call.call(handOver);
        if (call.returned()) {
            end.done(running);
        } else if (failure.isPresent()) {
            failed(running, failure.get(), failedAt);
        } else {
            // An error handler of the application took the failure over, or the listener was not reached.
            end.giveBack(running, new DeliveryVerdict.Failed(Optional.empty()));
        }
        return failure;
    }

    private void failed(List<BatchedMessage> running, Throwable failure, ToIntFunction<Throwable> failedAt) {
        int place = running.size() == 1 ? 0 : failedAt.applyAsInt(failure);
        if (place < 0 || place >= running.size()) {
            end.failedTogether(running, failure);
            return;
        }
        end.done(running.subList(0, place));
        end.failed(running.get(place), failure);
        end.giveBack(
                running.subList(place + 1, running.size()),
                new DeliveryVerdict.Defer(listener.scope(), Duration.ZERO, "one before it failed"));
    }

    private static List<@Nullable IdempotencyContext> contexts(List<BatchedMessage> running) {
        List<@Nullable IdempotencyContext> contexts = new ArrayList<>(running.size());
        running.forEach(message -> contexts.add(message.context()));
        return Collections.unmodifiableList(contexts);
    }

    /** Gives back what was granted and never run. */
    @Override
    public void close() {
        end.giveBack(
                messages.stream().filter(BatchedMessage::toRun).toList(),
                new DeliveryVerdict.Defer(listener.scope(), Duration.ZERO, "it was not run"));
    }
}
