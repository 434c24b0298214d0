package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A broker that confirms what it gets, unless it is away. */
public final class RecordingTransport implements OutgoingTransport {

    private final List<OutgoingMessage> received = new CopyOnWriteArrayList<>();
    private final String name;
    private volatile boolean away;
    private volatile boolean deadly;
    private volatile Callable<?> first = () -> "";

    public RecordingTransport(String name) {
        this.name = name;
    }

    public List<OutgoingMessage> received() {
        return received;
    }

    public void goAway() {
        away = true;
    }

    public void comeBack() {
        away = false;
        deadly = false;
    }

    /** Ends the process of each publisher before its message is there. */
    public void killPublishers() {
        deadly = true;
    }

    /** Does something when the first message is there. */
    public void onFirst(Callable<?> reaction) {
        first = reaction;
    }

    /** The end of a process. */
    public static final class Killed extends Error {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        if (deadly) {
            throw new Killed();
        }
        if (away) {
            return CompletableFuture.failedFuture(new IllegalStateException("The broker is away"));
        }
        received.add(message);
        try {
            Object unused = received.size() == 1 ? first.call() : null;
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return CompletableFuture.completedFuture(message);
    }
}
