package io.idem.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that runs a piece of work if its lease is lost meanwhile. Never interrupts afterwards, and
 * leaves no interrupt on the thread, which belongs to the container: closing waits for an interrupt under way and
 * clears it if the work did not handle it, unless the thread was interrupted before the work began.
 */
final class LostLeaseInterrupt implements AutoCloseable {

    private final boolean interruptedBefore = Thread.currentThread().isInterrupted();
    private @Nullable Thread worker = Thread.currentThread();
    private boolean sent;

    /** Returns an interrupt for work on the calling thread, which must close it. */
    static LostLeaseInterrupt of(Consumer<Runnable> onLeaseLost) {
        LostLeaseInterrupt interrupt = new LostLeaseInterrupt();
        onLeaseLost.accept(interrupt::send);
        return interrupt;
    }

    private synchronized void send() {
        if (worker != null) {
            sent = true;
            worker.interrupt();
        }
    }

    /** Returns whether the work was interrupted. */
    synchronized boolean sent() {
        return sent;
    }

    @Override
    public synchronized void close() {
        worker = null;
        if (sent && !interruptedBefore) {
            var unused = Thread.interrupted();
        }
    }
}
