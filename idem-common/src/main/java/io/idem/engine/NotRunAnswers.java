package io.idem.engine;

import io.idem.Claim;
import io.idem.Outcome;

/** Translates claims that let no work run into outcomes. */
final class NotRunAnswers {

    private NotRunAnswers() {}

    static <T> Outcome.NotRun<T> of(Claim claim) {
        if (claim instanceof Claim.Replay replay) {
            return new Outcome.Replayed<>(replay.result());
        }
        if (claim instanceof Claim.InProgress inProgress) {
            return new Outcome.InProgress<>(inProgress.remaining());
        }
        if (claim instanceof Claim.NotYet notYet) {
            return new Outcome.NotYet<>(notYet.delay());
        }
        if (claim instanceof Claim.Rejected rejected) {
            return new Outcome.Rejected<>(rejected.reason());
        }
        if (claim instanceof Claim.Exhausted exhausted) {
            return new Outcome.Exhausted<>(exhausted.attempts());
        }
        if (claim instanceof Claim.Mismatch) {
            return new Outcome.Mismatch<>();
        }
        throw new IllegalArgumentException("A grant is not an answer: " + claim);
    }
}
