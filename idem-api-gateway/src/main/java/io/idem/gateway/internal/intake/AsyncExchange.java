package io.idem.gateway.internal.intake;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request whose answer is written asynchronously. Once the container has ended the request, because its client
 * disconnected, nothing is written: the response may belong to another request by then. Thread-safe.
 */
final class AsyncExchange implements AsyncListener {

    private final AsyncContext async;
    private final AtomicBoolean ended = new AtomicBoolean();

    AsyncExchange(AsyncContext async) {
        this.async = async;
    }

    /** Writes the answer on a thread of the container, and ends the request. */
    void end(Answer answer) {
        try {
            async.start(() -> endHere(answer));
        } catch (RuntimeException overAlready) {
            // The container has ended the request, because its client left.
        }
    }

    private void endHere(Answer answer) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            answer.write();
        } catch (IOException clientGone) {
            // The client has left; its operation goes on.
        } finally {
            async.complete();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        ended.set(true);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        giveUp();
    }

    @Override
    public void onError(AsyncEvent event) {
        giveUp();
    }

    private void giveUp() {
        if (ended.compareAndSet(false, true)) {
            async.complete();
        }
    }

    /** Does nothing, because this request starts asynchronous processing only once. */
    @Override
    public void onStartAsync(AsyncEvent event) {}

    /** Writes an answer to a response. */
    @FunctionalInterface
    interface Answer {

        void write() throws IOException;
    }
}
