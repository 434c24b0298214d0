package io.idem.test.spring;

import org.springframework.context.SmartLifecycle;

/** Begins before all containers, which exist by then, and tells them not to. */
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
