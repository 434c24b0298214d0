package io.idem.consumer.internal.outage;

import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.OutageSettings;
import io.idem.internal.DaemonThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices per scope that the store takes no work, and asks it, ever more rarely, until it seems to. Per scope, since a
 * scope's inbox may be silent on its own. Thread-safe.
 *
 * <p>A store that answers the question may still not grant, and the question does not concern an inbox beside the store:
 * messages are released to try, and the outage is over when all of them were decided, or when none had to be held again
 * for a minute: they may be elsewhere.
 */
public final class StoreOutages implements AutoCloseable {

    /** The longest pauses, a minute by default, in which messages that were released find out if they are not taken. */
    private static final int PAUSES_OF_A_TRIAL = 30;

    private final OutageSettings settings;
    private final Consumer<Scope> reading;
    private final Runnable writing;
    private final ConsumerEvents events;
    private final Map<Scope, ScopeOutages> scopes = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("idem-store-outage"));

    /**
     * Makes the outages of one store. Its questions throw {@link StoreUnavailableException} if it does not answer.
     *
     * @param reading asks the store about a scope
     * @param writing asks it whether it takes work
     */
    public StoreOutages(OutageSettings settings, Consumer<Scope> reading, Runnable writing, ConsumerEvents events) {
        this.settings = settings;
        this.reading = reading;
        this.writing = writing;
        this.events = events;
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    public Duration longestHold() {
        return settings.longestHold();
    }

    /** Notes that the store did not take a message's work, and returns what the message is held for. */
    public StoreOutage refused(Scope scope, DeliveredMessage message, StoreUnavailableException why) {
        return scopes.computeIfAbsent(scope, one -> new ScopeOutages(one, message.transport(), settings, events))
                .refused(message, why, this::askLater);
    }

    /**
     * Notes that a message of a scope was decided.
     *
     * @param granted whether its work was granted; false for one that did not run
     */
    public void decided(Scope scope, DeliveredMessage message, boolean granted) {
        ScopeOutages known = scopes.get(scope);
        if (known != null) {
            known.decided(message, granted);
        }
    }

    /** Returns what all messages of a scope are held for, without being asked for; empty if the store is to be asked. */
    public Optional<StoreOutage> silence(Scope scope) {
        return Optional.ofNullable(scopes.get(scope))
                .flatMap(ScopeOutages::hold)
                .filter(hold -> !hold.isReadable());
    }

    private void askLater(ScopeOutages scope) {
        later(scope, () -> ask(scope), scope.nextPauseMillis());
    }

    private void later(ScopeOutages scope, Runnable action, long millis) {
        try {
            var unused = timer.schedule(action, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException applicationEnds) {
            scope.over();
        }
    }

    private void ask(ScopeOutages scope) {
        if (scope.hold().isEmpty()) {
            return;
        }
        Optional<StoreUnavailableException> silent = failure(() -> reading.accept(scope.scope()));
        Optional<StoreUnavailableException> failure = silent.or(() -> failure(writing));
        if (failure.isPresent()) {
            scope.still(failure.get(), silent.isEmpty());
            askLater(scope);
        } else {
            scope.release();
            Duration trial = settings.longestPause().multipliedBy(PAUSES_OF_A_TRIAL);
            later(scope, () -> scope.overIfQuiet(trial), trial.toMillis() + 1);
        }
    }

    private static Optional<StoreUnavailableException> failure(Runnable question) {
        try {
            question.run();
        } catch (StoreUnavailableException silent) {
            return Optional.of(silent);
        } catch (RuntimeException | Error anAnswerToo) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Stops asking; outages that last are over, so that no delivery waits for them. */
    @Override
    public void close() {
        timer.shutdownNow();
        scopes.values().forEach(ScopeOutages::over);
    }
}
