package io.idem.test.spring;

import org.springframework.context.SmartLifecycle;

/**
 * Turns off auto-start of all listener containers. A {@code SmartLifecycle} in the lowest phase: it runs after they are
 * created and before any is started.
 */
final class StoppedContainers implements SmartLifecycle {

    private final Runnable tell;
    private volatile boolean running;

    StoppedContainers(Runnable tell) {
        this.tell = tell;
    }

    @Override
    public void start() {
        tell.run();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
