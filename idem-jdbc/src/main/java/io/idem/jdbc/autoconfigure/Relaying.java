package io.idem.jdbc.autoconfigure;

import io.idem.jdbc.outbox.OutboxRelay;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/** Runs the relay while the application runs: begins before the web server takes requests, ends after it has answered them. */
final class Relaying implements SmartLifecycle {

    private final OutboxRelay relay;
    private final Duration every;

    Relaying(OutboxRelay relay, Duration every) {
        this.relay = relay;
        this.every = every;
    }

    @Override
    public void start() {
        relay.start(every);
    }

    @Override
    public void stop() {
        relay.stop();
    }

    @Override
    public boolean isRunning() {
        return relay.running();
    }

    @Override
    public int getPhase() {
        return 0;
    }
}
