package io.idem.http.internal.admission;

import static io.idem.internal.Durations.shorter;

import io.idem.Admission;
import io.idem.Outcome;
import java.time.Duration;

/** Decides whether a request waits for the attempt of another one, and how long it pauses between two looks. For adapters. */
public final class AttemptWaits {

    /** The pause between the first two looks at a running attempt. */
    public static final Duration FIRST_PAUSE = Duration.ofMillis(20);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private AttemptWaits() {}

    /** Returns the pause that follows another one. */
    public static Duration after(Duration pause) {
        return shorter(pause.multipliedBy(2), LONGEST_PAUSE);
    }

    /** Returns whether the operation cannot begin because of another attempt. */
    public static boolean deferred(Admission<?> beginning) {
        return beginning instanceof Admission.Answered<?> answered && deferred(answered.outcome());
    }

    /** Returns whether the work was not run because of another attempt. */
    public static boolean deferred(Outcome<?> outcome) {
        return outcome instanceof Outcome.InProgress<?> || outcome instanceof Outcome.NotYet<?>;
    }

    /** Returns whether the operation was done before. */
    public static boolean replays(Admission<?> beginning) {
        return beginning instanceof Admission.Answered<?> answered && answered.outcome() instanceof Outcome.Replayed<?>;
    }
}
