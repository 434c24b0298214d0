package io.idem.http;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import java.time.Instant;
import java.util.List;

/**
 * How far an operation is, at the intake and at every consumer. Results and reasons are not shown.
 *
 * @param key the client's key
 * @param scopes one entry per participant that knows the key, in the order of their names
 */
public record OperationStatus(String key, List<Participant> scopes) {

    /** Copies the list. */
    public OperationStatus {
        scopes = List.copyOf(scopes);
    }

    /**
     * One participant's record.
     *
     * @param scope the participant
     * @param state its state
     * @param attempts number of grants
     * @param at by the store's clock: PENDING: end of the lease; FAILED: earliest retry; else the moment of settling
     */
    public record Participant(String scope, RecordState state, int attempts, Instant at) {

        static Participant of(RecordSnapshot record) {
            return new Participant(record.scope().name(), record.state(), record.attempts(), record.at());
        }
    }
}
