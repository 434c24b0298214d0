package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A broker that confirms what it gets for good destinations; the name of any other one says what it does. */
final class FaultyTransport implements OutgoingTransport, AutoCloseable {

    /** Takes no message over before the test ends. */
    static final String HANGING = "hanging";

    /** Needs longer than a second to refuse a message. */
    static final String SLOW = "slow";

    /** Refuses each message without a delay. */
    static final String REFUSING = "refusing";

    /** Takes each message and never confirms it. */
    static final String SILENT = "silent";

    /** Ends the channel, as RabbitMQ does where there is no exchange: what was sent over it before and after is refused too. */
    static final String CLOSING = "closing";

    private static final long SLOWLY_MILLIS = 1_100;
    private static final long UNTIL_CLOSED_MILLIS = 50;

    private final List<OutgoingMessage> received = new CopyOnWriteArrayList<>();
    private final List<OutgoingMessage> tried = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final String name;
    private CompletableFuture<Void> channel = new CompletableFuture<>();

    FaultyTransport(String name) {
        this.name = name;
    }

    /** Returns the messages that were confirmed. */
    List<OutgoingMessage> received() {
        return received;
    }

    /** Returns the number of messages to a destination that were handed over, or tried to be. */
    long tries(String destination) {
        return tried.stream()
                .filter(message -> message.destination().equals(destination))
                .count();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        tried.add(message);
        if (message.destination().startsWith(HANGING)) {
            return afterTheEnd();
        }
        return switch (message.destination()) {
            case SLOW -> slowly();
            case REFUSING -> refused();
            case SILENT -> new CompletableFuture<>();
            case CLOSING -> closing();
            default -> confirmed(message);
        };
    }

    private CompletionStage<?> afterTheEnd() {
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return refused();
    }

    private static CompletionStage<?> slowly() {
        try {
            TimeUnit.MILLISECONDS.sleep(SLOWLY_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return refused();
    }

    private static CompletionStage<?> refused() {
        return CompletableFuture.failedFuture(new IllegalStateException("Refused"));
    }

    private synchronized CompletionStage<?> closing() {
        CompletableFuture<Void> closed = channel;
        if (!closed.isDone()) {
            CompletableFuture.delayedExecutor(UNTIL_CLOSED_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> close(closed));
        }
        return closed;
    }

    private synchronized void close(CompletableFuture<Void> closed) {
        channel = new CompletableFuture<>();
        closed.completeExceptionally(new IllegalStateException("The channel was closed"));
    }

    /** Confirms a message after the time in which its channel may be closed. */
    private synchronized CompletionStage<?> confirmed(OutgoingMessage message) {
        CompletableFuture<Void> closed = channel;
        CompletableFuture<Object> alive =
                new CompletableFuture<>().completeOnTimeout(message, 2 * UNTIL_CLOSED_MILLIS, TimeUnit.MILLISECONDS);
        return CompletableFuture.anyOf(alive, closed).thenAccept(confirmed -> received.add(message));
    }

    @Override
    public void close() {
        end.countDown();
    }
}
