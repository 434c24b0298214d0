package io.idem.consumer.internal.outage;

import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.OutageSettings;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The outages of a scope: the one that lasts, and the pause before the store is asked. Thread-safe. */
final class ScopeOutages {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeOutages.class);

    private final Scope scope;
    private final String transport;
    private final OutageSettings settings;
    private final ConsumerEvents events;
    private @Nullable StoreOutage lasting;
    private long pause;

    ScopeOutages(Scope scope, String transport, OutageSettings settings, ConsumerEvents events) {
        this.scope = scope;
        this.transport = transport;
        this.settings = settings;
        this.events = events;
        this.pause = settings.firstPause().toMillis();
    }

    Scope scope() {
        return scope;
    }

    synchronized Optional<StoreOutage> lasting() {
        return Optional.ofNullable(lasting);
    }

    /**
     * Returns the outage that lasts, or a new one.
     *
     * @param begun called for a new one only
     */
    StoreOutage begin(Consumer<ScopeOutages> begun) {
        StoreOutage fresh = new StoreOutage(settings.longestHold());
        synchronized (this) {
            if (lasting != null) {
                return lasting;
            }
            lasting = fresh;
        }
        LOG.warn("The store does not answer scope \"{}\"; its listener on {} pauses until it does", scope, transport);
        events.publish(new ConsumerEvent.Paused(scope, transport));
        begun.accept(this);
        return fresh;
    }

    /** Returns the pause before the next question: twice as long as before, up to a limit, with jitter. */
    synchronized long nextPauseMillis() {
        long now = pause;
        pause = Math.min(2 * pause, settings.longestPause().toMillis());
        return now / 2 + ThreadLocalRandom.current().nextLong(now / 2 + 1);
    }

    /** Notes that a message was decided: the next outage starts with the shortest pause. */
    void decided() {
        synchronized (this) {
            pause = settings.firstPause().toMillis();
        }
        over();
    }

    /** Ends the outage: the store answers, as far as a question can tell. */
    void over() {
        StoreOutage ended;
        synchronized (this) {
            ended = lasting;
            lasting = null;
        }
        if (ended != null) {
            LOG.info("The store answers scope \"{}\" again; its listener on {} goes on", scope, transport);
            events.publish(new ConsumerEvent.Resumed(scope, transport));
            ended.end();
        }
    }
}
