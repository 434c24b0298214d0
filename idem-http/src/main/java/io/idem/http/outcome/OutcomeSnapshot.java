package io.idem.http.outcome;

import io.idem.RecordState;
import io.idem.http.OperationStatus;
import io.idem.http.OperationStatus.Participant;
import java.util.Optional;
import java.util.Set;

/**
 * The state of an operation when the wait for its outcome ended.
 *
 * @param finding outcome at the awaited consumers
 * @param status status at that moment; empty if no participant knows the key, or the store did not answer
 */
public record OutcomeSnapshot(Finding finding, Optional<OperationStatus> status) {

    /** The outcome of an operation at the awaited consumers. */
    public enum Finding {
        /** All consumers completed the operation. */
        COMPLETED,
        /** A consumer rejected the operation. */
        REJECTED,
        /** The operation is neither completed nor rejected yet. */
        OPEN
    }

    static final OutcomeSnapshot NOTHING = new OutcomeSnapshot(Finding.OPEN, Optional.empty());

    static OutcomeSnapshot of(OperationStatus status, Set<Set<String>> alternatives) {
        Finding finding = alternatives.stream()
                .map(scopes -> finding(status, scopes))
                .filter(found -> found != Finding.OPEN)
                .findFirst()
                .orElse(Finding.OPEN);
        return new OutcomeSnapshot(finding, Optional.of(status));
    }

    private static Finding finding(OperationStatus status, Set<String> scopes) {
        if (count(status, scopes, RecordState.REJECTED) > 0) {
            return Finding.REJECTED;
        }
        boolean all = count(status, scopes, RecordState.COMPLETED) == scopes.size();
        return all ? Finding.COMPLETED : Finding.OPEN;
    }

    private static long count(OperationStatus status, Set<String> scopes, RecordState state) {
        return status.scopes().stream()
                .filter(participant -> participant.state() == state)
                .map(Participant::scope)
                .filter(scopes::contains)
                .count();
    }

    boolean settled() {
        return finding != Finding.OPEN;
    }
}
