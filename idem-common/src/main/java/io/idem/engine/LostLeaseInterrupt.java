package io.idem.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that runs a piece of work if its lease is lost meanwhile. Never afterwards, and without leaving the
 * interrupt on the thread, which is the container's: closing waits for an interrupt under way and takes an unheeded one back,
 * unless the thread was interrupted before the work began.
 */
final class LostLeaseInterrupt implements AutoCloseable {

    private final boolean interruptedBefore = Thread.currentThread().isInterrupted();
    private @Nullable Thread worker = Thread.currentThread();
    private boolean sent;

    /** For work on the calling thread, which closes it. */
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

    /** Whether the work was interrupted. */
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
