package io.idem.consumer.internal.outage;

import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.OutageSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outages of a scope. One lasts from the first message that the store did not take until all such messages were
 * decided; in between they are held, and released to try. Thread-safe.
 */
final class ScopeOutages {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeOutages.class);

    private final Scope scope;
    private final String transport;
    private final OutageSettings settings;
    private final ConsumerEvents events;
    private final Set<Object> refused = new HashSet<>();
    private @Nullable StoreOutage hold;
    private boolean lasting;
    private long releasedAt;
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

    /** Returns what messages are held for now; empty while they may try, and where there is no outage. */
    synchronized Optional<StoreOutage> hold() {
        return Optional.ofNullable(hold);
    }

    /**
     * Returns what a message is held for that the store did not take.
     *
     * @param held called if it is the first one, or the first after others were released
     */
    synchronized StoreOutage refused(
            DeliveredMessage message, StoreUnavailableException why, Consumer<ScopeOutages> held) {
        refused.add(nameOf(message));
        StoreOutage current = hold;
        if (current == null) {
            // A message that was released to try shows that the store answers.
            current = new StoreOutage(settings.longestHold(), lasting);
            hold = current;
            if (!lasting) {
                lasting = true;
                tell("takes no work of", "pauses until it does", why);
                events.publish(new ConsumerEvent.Paused(scope, transport));
            }
            held.accept(this);
        }
        return current;
    }

    /** Notes that the store still takes no work, and whether it answers what is read: then only new work is held. */
    synchronized void still(StoreUnavailableException why, boolean readable) {
        StoreOutage former = hold;
        if (former != null && former.isReadable() != readable) {
            tell(readable ? "answers duplicates only of" : "answers nothing of", "still waits", why);
            hold = new StoreOutage(settings.longestHold(), readable);
            former.end();
        }
    }

    /** Names a message whenever it is delivered; without a position it is held as it was delivered. */
    private static Object nameOf(DeliveredMessage message) {
        return Objects.requireNonNullElse(message.position(), message.source());
    }

    private void tell(String what, String how, StoreUnavailableException why) {
        LOG.warn("The store {} scope \"{}\"; its listener on {} {}: {}", what, scope, transport, how, why.getMessage());
    }

    /** Returns the pause before the next question: twice as long as before, up to a limit, with jitter. */
    synchronized long nextPauseMillis() {
        long now = pause;
        pause = Math.min(2 * pause, settings.longestPause().toMillis());
        return now / 2 + ThreadLocalRandom.current().nextLong(now / 2 + 1);
    }

    /** Releases the messages that are held: the store takes work, as far as a question can tell. */
    synchronized void release() {
        StoreOutage former = hold;
        hold = null;
        releasedAt = System.nanoTime();
        if (former != null) {
            former.end();
        }
    }

    /** Ends the outage if no message had to be held again for so long. */
    synchronized void overIfQuiet(Duration trial) {
        if (hold == null && System.nanoTime() - releasedAt >= trial.toNanos()) {
            over();
        }
    }

    /**
     * Notes that a message was decided. After the last one that was refused, the next outage starts with the shortest
     * pause.
     *
     * @param granted whether its work was granted; a duplicate says nothing about a store that takes no work
     */
    synchronized void decided(DeliveredMessage message, boolean granted) {
        if (!lasting) {
            return;
        }
        refused.remove(nameOf(message));
        if (refused.isEmpty() && (hold == null || granted)) {
            pause = settings.firstPause().toMillis();
            over();
        }
    }

    /** Ends the outage, if one lasts, and releases the held messages. */
    synchronized void over() {
        if (lasting) {
            lasting = false;
            refused.clear();
            LOG.info("The store takes work of scope \"{}\" again; its listener on {} goes on", scope, transport);
            events.publish(new ConsumerEvent.Resumed(scope, transport));
            release();
        }
    }
}
