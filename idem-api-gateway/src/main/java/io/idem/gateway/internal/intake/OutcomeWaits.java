package io.idem.gateway.internal.intake;

import static io.idem.internal.Durations.shorter;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.http.outcome.OutcomeSnapshot;
import io.idem.http.outcome.OutcomeWatch;
import io.idem.http.outcome.WaitPreference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The rules of waiting for outcomes: which clients may wait, and how long. Thread-safe; does not block.
 *
 * @param longest the longest wait; zero for no waiting
 * @param consumers the consumers of each route whose clients may wait
 */
public record OutcomeWaits(OutcomeWatch watch, Duration longest, Set<Set<Scope>> consumers) {

    /** Makes the set of scopes immutable. */
    public OutcomeWaits {
        consumers = Set.copyOf(consumers);
    }

    /** Returns whether clients of any route may wait. */
    public boolean possible() {
        return longest.toSeconds() > 0 && !consumers.isEmpty();
    }

    /**
     * Returns the wait that a client asks for in the lines of its {@code Prefer} header, bounded by the longest one;
     * empty for no wait.
     */
    Optional<Duration> asked(List<String> prefer) {
        return WaitPreference.in(prefer)
                .map(wait -> shorter(wait, longest))
                .filter(wait -> possible() && wait.toSeconds() > 0);
    }

    /**
     * Waits for the consumers of the route that the key was sent to, whichever it is; empty if too many clients wait
     * already.
     */
    Optional<CompletableFuture<OutcomeSnapshot>> await(IdempotencyKey key, Duration atMost) {
        return watch.await(key, consumers, atMost);
    }
}
