package io.idem.gateway.internal.intake;

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

/** How long clients may wait, and for whom. Thread-safe; nothing blocks. */
public final class OutcomeWaits {

    private final OutcomeWatch watch;
    private final Duration longest;
    private final List<AwaitedOutcome> routes;

    /**
     * Waits of a watch.
     *
     * @param longest no client waits for longer; zero for no waiting at all
     * @param routes whose clients may wait
     */
    public OutcomeWaits(OutcomeWatch watch, Duration longest, List<AwaitedOutcome> routes) {
        this.watch = watch;
        this.longest = longest;
        this.routes = List.copyOf(routes);
    }

    /** How long a client is to wait, by the lines of its {@code Prefer} header; empty if not at all. */
    Optional<Duration> asked(List<String> prefer) {
        return WaitPreference.in(prefer)
                .map(wait -> wait.compareTo(longest) < 0 ? wait : longest)
                .filter(wait -> wait.toSeconds() > 0);
    }

    /** For how long clients wait at most; zero if nobody may wait. */
    public Duration longest() {
        return longest;
    }

    /** Whether clients of any route may wait. */
    public boolean possible() {
        return longest.toSeconds() > 0 && !routes.isEmpty();
    }

    /** The route's part in it, if its clients may wait. */
    public Optional<AwaitedOutcome> of(String method, String pattern) {
        return routes.stream().filter(route -> route.isOf(method, pattern)).findFirst();
    }

    /** Waits for a route's consumers; empty if too many wait already. */
    Optional<CompletableFuture<OutcomeSnapshot>> await(IdempotencyKey key, AwaitedOutcome route, Duration atMost) {
        return watch.await(key, Set.of(route.consumers()), atMost);
    }

    /** Waits for the consumers of whichever route the key was sent to; empty if too many wait already, or no route has any. */
    Optional<CompletableFuture<OutcomeSnapshot>> await(IdempotencyKey key, Duration atMost) {
        Set<Set<Scope>> alternatives =
                routes.stream().map(AwaitedOutcome::consumers).collect(Collectors.toSet());
        return alternatives.isEmpty() ? Optional.empty() : watch.await(key, alternatives, atMost);
    }
}
