package io.idem.internal.method;

import io.idem.KeyInProgressException;
import io.idem.KeyReusedException;
import io.idem.Outcome;
import io.idem.OutcomeUnrecordedException;
import io.idem.RecordId;
import io.idem.WorkRejectedException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of answers to a call: a value, or an exception where the method neither ran nor is replayed.
 *
 * @param ran whether the method was called in this attempt
 */
record CallAnswer(RecordId record, ResultValues values, boolean ran) {

    private static final Logger LOG = LoggerFactory.getLogger(CallAnswer.class);

    /** Returns the value of the call. If another owner completed the record, it is the one that duplicates get. */
    @Nullable Object of(Outcome<Optional<Object>> outcome) {
        return switch (outcome.end()) {
            case EXECUTED ->
                ((Outcome.Executed<Optional<Object>>) outcome).value().orElse(null);
            case SUPERSEDED -> values.decode(((Outcome.Superseded<?>) outcome).stored());
            case UNRECORDED -> unrecorded((Outcome.Unrecorded<Optional<Object>>) outcome);
            case RELEASED -> throw new KeyInProgressException(record, "its attempt took no effect", Duration.ZERO);
            case REJECTED_NOW -> throw new WorkRejectedException(record, ((Outcome.RejectedNow<?>) outcome).reason());
            case REPLAYED -> replayed((Outcome.Replayed<?>) outcome);
            case IN_PROGRESS ->
                later(
                        ran ? "its attempt ended with its outcome unknown" : "another call with its key is running",
                        ((Outcome.InProgress<?>) outcome).retryAfter());
            case NOT_YET ->
                later(
                        "its last attempt failed, and the delay after it is not over",
                        ((Outcome.NotYet<?>) outcome).retryAfter());
            case MISMATCH -> throw new KeyReusedException(record);
            case REJECTED ->
                throw new WorkRejectedException(
                        record, "it failed for good before: " + ((Outcome.Rejected<?>) outcome).reason());
            case EXHAUSTED ->
                throw new WorkRejectedException(
                        record, "all " + ((Outcome.Exhausted<?>) outcome).attempts() + " attempts are used up");
        };
    }

    /** Answers by the row of an inbox, which has what the store lacks. */
    private @Nullable Object unrecorded(Outcome.Unrecorded<Optional<Object>> outcome) {
        if (values.definition().inbox() == null) {
            throw new OutcomeUnrecordedException(record, outcome.why());
        }
        return outcome.value().orElse(null);
    }

    private @Nullable Object replayed(Outcome.Replayed<?> outcome) {
        LOG.debug("{} is a duplicate and does not run", record);
        return values.decode(outcome.result());
    }

    /** Answers the scheduler as if the method had run: it calls again at the next time whatever the answer, and logs exceptions as errors. */
    private @Nullable Object later(String why, Duration retryAfter) {
        KeyInProgressException notNow = new KeyInProgressException(record, why, retryAfter);
        MethodDefinition definition = values.definition();
        if (ran || !definition.isScheduled() || !Schedules.isCalling(definition.method())) {
            throw notNow;
        }
        LOG.debug("{}", notNow.getMessage());
        return null;
    }
}
