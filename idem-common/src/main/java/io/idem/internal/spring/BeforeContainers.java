package io.idem.internal.spring;

import org.springframework.context.SmartLifecycle;

/**
 * Prepares or checks an application when all of its beans have been made, and before any listener container starts,
 * whatever phase that has. An exception ends the start.
 */
public abstract class BeforeContainers implements SmartLifecycle {

    private volatile boolean running;

    /** Prepares; {@link #isRunning} is true already. */
    protected abstract void prepare();

    @Override
    public final void start() {
        running = true;
        prepare();
    }

    @Override
    public final void stop() {
        running = false;
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
