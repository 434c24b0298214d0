package io.idem.http;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import java.time.Instant;
import java.util.List;

/**
 * The progress of an operation at the intake and at every consumer, without results and reasons.
 *
 * @param key the client's key
 * @param scopes one entry per participant that knows the key, in the order of their names
 */
public record OperationStatus(String key, List<Participant> scopes) {

    public OperationStatus {
        scopes = List.copyOf(scopes);
    }

    /**
     * The state of a participant's record.
     *
     * @param scope the participant
     * @param state state of the record
     * @param attempts number of grants
     * @param at time by the store's clock: for PENDING the end of the lease, for FAILED the earliest retry, otherwise the time at which the
     *     record got its state
     */
    public record Participant(String scope, RecordState state, int attempts, Instant at) {

        static Participant of(RecordSnapshot record) {
            return new Participant(record.scope().name(), record.state(), record.attempts(), record.at());
        }
    }
}
