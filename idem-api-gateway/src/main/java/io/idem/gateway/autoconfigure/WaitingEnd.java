package io.idem.gateway.autoconfigure;

import io.idem.http.outcome.OutcomeWatch;
import org.springframework.context.SmartLifecycle;

/** Answers all who wait when the application stops, before the server stops gracefully: else it would wait for them. */
final class WaitingEnd implements SmartLifecycle {

    private final OutcomeWatch watch;
    private volatile boolean running;

    WaitingEnd(OutcomeWatch watch) {
        this.watch = watch;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        watch.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The first to stop. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
