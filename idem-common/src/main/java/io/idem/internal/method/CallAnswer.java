package io.idem.internal.method;

import io.idem.KeyInProgressException;
import io.idem.KeyReusedException;
import io.idem.Outcome;
import io.idem.OutcomeUnrecordedException;
import io.idem.RecordId;
import io.idem.StoredResult;
import io.idem.WorkRejectedException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of answers to a call: a value, or an exception where the method neither ran nor is replayed.
 *
 * @param ran whether the method was called in this attempt
 */
record CallAnswer(RecordId record, ResultValues values, boolean ran)
        implements Outcome.Cases<Optional<Object>, Optional<Object>> {

    private static final Logger LOG = LoggerFactory.getLogger(CallAnswer.class);

    @Override
    public Optional<Object> executed(Outcome.Executed<Optional<Object>> outcome) {
        return outcome.value();
    }

    /** Answers with the value that duplicates get. */
    @Override
    public Optional<Object> superseded(Outcome.Superseded<Optional<Object>> outcome) {
        return stored(outcome.stored());
    }

    /** Answers by the row of an inbox, which has what the store lacks. */
    @Override
    public Optional<Object> unrecorded(Outcome.Unrecorded<Optional<Object>> outcome) {
        if (values.definition().inbox() == null) {
            throw new OutcomeUnrecordedException(record, outcome.why());
        }
        return outcome.value();
    }

    @Override
    public Optional<Object> released(Outcome.Released<Optional<Object>> outcome) {
        throw new KeyInProgressException(record, "its attempt took no effect", Duration.ZERO);
    }

    @Override
    public Optional<Object> rejectedNow(Outcome.RejectedNow<Optional<Object>> outcome) {
        throw new WorkRejectedException(record, outcome.reason());
    }

    @Override
    public Optional<Object> replayed(Outcome.Replayed<Optional<Object>> outcome) {
        LOG.debug("{} is a duplicate and does not run", record);
        return stored(outcome.result());
    }

    private Optional<Object> stored(StoredResult result) {
        return Optional.ofNullable(values.decode(result));
    }

    @Override
    public Optional<Object> inProgress(Outcome.InProgress<Optional<Object>> outcome) {
        return later(
                ran ? "its attempt ended with its outcome unknown" : "another call with its key is running",
                outcome.retryAfter());
    }

    @Override
    public Optional<Object> notYet(Outcome.NotYet<Optional<Object>> outcome) {
        return later("its last attempt failed, and the delay after it is not over", outcome.retryAfter());
    }

    /** Answers the scheduler as if the method had run: it calls again at the next time whatever the answer, and logs exceptions as errors. */
    private Optional<Object> later(String why, Duration retryAfter) {
        KeyInProgressException notNow = new KeyInProgressException(record, why, retryAfter);
        MethodDefinition definition = values.definition();
        if (ran || !definition.isScheduled() || !Schedules.isCalling(definition.method())) {
            throw notNow;
        }
        LOG.debug("{}", notNow.getMessage());
        return Optional.empty();
    }

    @Override
    public Optional<Object> mismatch(Outcome.Mismatch<Optional<Object>> outcome) {
        throw new KeyReusedException(record);
    }

    @Override
    public Optional<Object> rejected(Outcome.Rejected<Optional<Object>> outcome) {
        throw new WorkRejectedException(record, "it failed for good before: " + outcome.reason());
    }

    @Override
    public Optional<Object> exhausted(Outcome.Exhausted<Optional<Object>> outcome) {
        throw new WorkRejectedException(record, "all " + outcome.attempts() + " attempts are used up");
    }
}
