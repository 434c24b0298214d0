package io.idem.http.internal.admission;

import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.http.Refusal;

/** The decision on the answer to a request. Adapters carry it out: they send, hold back and take back answers. */
public sealed interface AnswerDecision {

    /** The answer that the handler gave is sent. */
    record SendHeld() implements AnswerDecision {}

    /** The outcome is recorded once more; {@link AnswerDecisions#afterAgain} decides then. */
    record RecordAgain(Outcome.Unrecorded<?> unrecorded) implements AnswerDecision {}

    /** The client gets an answer that the handler did not give. */
    sealed interface Instead extends AnswerDecision {}

    /**
     * The answer that the record keeps is sent.
     *
     * @param limit largest body that is decoded for a request that does not accept its coding, in bytes
     */
    record Replay(StoredResult stored, int limit) implements Instead {}

    /** The request is refused. */
    record Refuse(Refusal refusal) implements Instead {}
}
