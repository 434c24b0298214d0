package io.idem.workshop.simulation.kernel;

/** Ends the sleep of one fiber early. Has no effect on later sleeps once it is closed. */
public final class Waker implements Runnable, AutoCloseable {

    private final Kernel kernel;
    private final Fiber fiber;
    private boolean closed;

    Waker(Kernel kernel, Fiber fiber) {
        this.kernel = kernel;
        this.fiber = fiber;
    }

    @Override
    public void run() {
        if (!closed) {
            kernel.wake(fiber);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
