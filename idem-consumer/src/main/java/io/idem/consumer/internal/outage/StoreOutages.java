package io.idem.consumer.internal.outage;

import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.OutageSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices per scope that the store is silent, and asks it, ever more rarely, until it answers. Per scope, since a
 * scope's inbox may be silent on its own. Thread-safe.
 *
 * <p>A store that answers this question may still not grant: it may be read-only or full. Therefore the pauses go on
 * growing until a message was really decided.
 */
public final class StoreOutages implements AutoCloseable {

    private final OutageSettings settings;
    private final Consumer<Scope> question;
    private final ConsumerEvents events;
    private final Map<Scope, ScopeOutages> scopes = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread daemon = new Thread(task, "idem-store-outage");
        daemon.setDaemon(true);
        return daemon;
    });

    /**
     * Makes the outages of one store.
     *
     * @param question asks the store about a scope; throws {@link StoreUnavailableException} if it does not answer
     */
    public StoreOutages(OutageSettings settings, Consumer<Scope> question, ConsumerEvents events) {
        this.settings = settings;
        this.question = question;
        this.events = events;
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    public Duration longestHold() {
        return settings.longestHold();
    }

    /** Notes that the store did not answer a scope, and returns the outage that this begins or belongs to. */
    public StoreOutage silent(Scope scope, String transport) {
        return scopes.computeIfAbsent(scope, one -> new ScopeOutages(one, transport, settings, events))
                .begin(this::askLater);
    }

    /** Notes that the store answered a scope. */
    public void answered(Scope scope) {
        ScopeOutages known = scopes.get(scope);
        if (known != null) {
            known.decided();
        }
    }

    /** Returns the outage that lasts; empty if there is none. */
    public Optional<StoreOutage> lasting(Scope scope) {
        return Optional.ofNullable(scopes.get(scope)).flatMap(ScopeOutages::lasting);
    }

    private void askLater(ScopeOutages scope) {
        try {
            var unused = timer.schedule(() -> ask(scope), scope.nextPauseMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException applicationEnds) {
            scope.over();
        }
    }

    private void ask(ScopeOutages scope) {
        if (scope.lasting().isEmpty()) {
            return;
        }
        if (answers(scope.scope())) {
            scope.over();
        } else {
            askLater(scope);
        }
    }

    private boolean answers(Scope scope) {
        try {
            question.accept(scope);
            return true;
        } catch (StoreUnavailableException silent) {
            return false;
        } catch (RuntimeException | Error anAnswerToo) {
            return true;
        }
    }

    /** Stops asking; outages that last are over, so that no delivery waits for them. */
    @Override
    public void close() {
        timer.shutdownNow();
        scopes.values().forEach(ScopeOutages::over);
    }
}
