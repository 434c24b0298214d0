package io.idem.gateway.internal.intake;

import static io.idem.internal.Durations.shorter;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.gateway.AwaitedOutcome;
import io.idem.http.outcome.OutcomeSnapshot;
import io.idem.http.outcome.OutcomeWatch;
import io.idem.http.outcome.WaitPreference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The rules of waiting for outcomes: which clients may wait, and how long. Thread-safe; does not block. */
public final class OutcomeWaits {

    private final OutcomeWatch watch;
    private final Duration longest;
    private final List<AwaitedOutcome> routes;

    /**
     * Creates the rules.
     *
     * @param longest the longest wait; zero for no waiting
     * @param routes the routes whose clients may wait
     */
    public OutcomeWaits(OutcomeWatch watch, Duration longest, List<AwaitedOutcome> routes) {
        this.watch = watch;
        this.longest = longest;
        this.routes = List.copyOf(routes);
    }

    /**
     * Returns the wait that a client asks for in the lines of its {@code Prefer} header, bounded by the longest one;
     * empty for no wait.
     */
    Optional<Duration> asked(List<String> prefer) {
        return WaitPreference.in(prefer).map(wait -> shorter(wait, longest)).filter(wait -> wait.toSeconds() > 0);
    }

    /** Returns the longest wait; zero if waiting is switched off. */
    public Duration longest() {
        return longest;
    }

    /** Returns whether clients of any route may wait. */
    public boolean possible() {
        return longest.toSeconds() > 0 && !routes.isEmpty();
    }

    /** Returns the consumers that clients of a route may wait for; empty if there are none. */
    public Optional<AwaitedOutcome> of(String method, String pattern) {
        return routes.stream().filter(route -> route.isOf(method, pattern)).findFirst();
    }

    /** Waits for a route's consumers; empty if too many clients wait already. */
    Optional<CompletableFuture<OutcomeSnapshot>> await(IdempotencyKey key, AwaitedOutcome route, Duration atMost) {
        return watch.await(key, Set.of(route.consumers()), atMost);
    }

    /**
     * Waits for the consumers of the route that the key was sent to, whichever it is; empty if too many clients wait
     * already, or no route has consumers.
     */
    Optional<CompletableFuture<OutcomeSnapshot>> await(IdempotencyKey key, Duration atMost) {
        Set<Set<Scope>> alternatives =
                routes.stream().map(AwaitedOutcome::consumers).collect(Collectors.toSet());
        return alternatives.isEmpty() ? Optional.empty() : watch.await(key, alternatives, atMost);
    }
}
