package io.idem.engine;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.Lease;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.ResultLoss;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.internal.ComparedResults;
import io.idem.spi.ResultPipeline;
import io.idem.spi.ResultPipeline.Handled;
import io.idem.step.Step;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Result pipeline of the engine. Decides when a result that cannot be kept may fail the work, and tells the listeners
 * of losses.
 */
record Results(ResultPipeline pipeline, EventSource events) {

    private static final Logger LOG = LoggerFactory.getLogger(Results.class);

    /** Packs a result before a commit that idem makes: a result that cannot be kept rolls the work back. */
    <T> WorkResult.Complete<T> pack(Lease lease, WorkResult.Complete<T> effect) {
        if (effect.result().equals(StoredResult.NONE)) {
            return effect;
        }
        Handled packed = pipeline.pack(lease, effect.result(), effect.shortened());
        return kept(effect, told(lease.record(), packed));
    }

    <T> Packing<T> packing(Lease lease, WorkResult.Complete<T> effect) {
        return new Packing<>(effect, packOrOmit(lease, effect));
    }

    /** Packs the result of work that may have committed. A result that cannot be kept is given up, never the work. */
    <T> WorkResult.Complete<T> packOrOmit(Lease lease, WorkResult.Complete<T> effect) {
        try {
            return pack(lease, effect);
        } catch (RuntimeException unfit) {
            LOG.warn(
                    "The result of {} cannot be kept ({}); its work counts as done and duplicates are answered without it",
                    lease.record(),
                    unfit.getMessage(),
                    unfit);
            Handled rest = Handled.without(ResultLoss.NOT_STORABLE, pipeline.packShortened(lease, effect.shortened()));
            return kept(effect, told(lease.record(), rest));
        }
    }

    private static <T> WorkResult.Complete<T> kept(WorkResult.Complete<T> effect, StoredResult kept) {
        return new WorkResult.Complete<>(effect.value(), kept, effect.shortened());
    }

    /** Returns the outcome of a claim that lets no work run. */
    <T> Outcome.NotRun<T> answer(RecordId record, Claim claim) {
        if (claim instanceof Claim.Replay replay) {
            return new Outcome.Replayed<>(unpack(record, replay.result()));
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

    /**
     * Unpacks a result.
     *
     * @throws StoreUnavailableException if a result outside the record cannot be reached at the moment
     */
    StoredResult unpack(RecordId record, StoredResult kept) {
        return kept.equals(StoredResult.NONE) ? kept : told(record, pipeline.unpack(record, kept));
    }

    /** Returns what the record keeps of an effect: the result of the work itself, unless another one was first. */
    StoredResult kept(Attempt attempt, Packing<?> effect, StoredResult kept) {
        return kept.equals(effect.packed().result()) ? effect.plain().result() : unpackSettled(attempt.record(), kept);
    }

    /**
     * Unpacks a result after the work ran. A result that cannot be read is omitted, so that the outcome of the work is
     * kept.
     */
    StoredResult unpackSettled(RecordId record, StoredResult kept) {
        try {
            return unpack(record, kept);
        } catch (StoreUnavailableException away) {
            LOG.warn("The result of {} cannot be read at the moment: {}", record, away.getMessage());
            return told(record, Handled.without(ResultLoss.GONE, StoredResult.OMITTED));
        }
    }

    private StoredResult told(RecordId record, Handled handled) {
        handled.loss().ifPresent(why -> events.publish(new IdempotencyEvent.ResultOmitted(record, why)));
        return handled.result();
    }

    /** Encodes the result of a step; {@link StoredResult#OMITTED} if the codec cannot write it. */
    StoredResult encodeStep(Lease lease, Step<?> step, @Nullable Object value, ResultCodec codec) {
        try {
            return codec.encode(value);
        } catch (RuntimeException unfit) {
            LOG.warn(
                    "The result of step {} of {} cannot be kept ({}); an attempt after this one is rejected",
                    step,
                    lease.record(),
                    unfit.getMessage(),
                    unfit);
            return StoredResult.OMITTED;
        }
    }

    /**
     * Packs the result of a step, never outside of the store: an object elsewhere would end before a record that lives on by
     * retries. {@link StoredResult#OMITTED} if it cannot be kept.
     */
    StoredResult packStep(Lease lease, StoredResult encoded) {
        boolean nothing = encoded.equals(StoredResult.NONE) || encoded.equals(StoredResult.OMITTED);
        return nothing ? encoded : pipeline.packShortened(lease, encoded);
    }

    /**
     * Unpacks the result of a step.
     *
     * @param record the record that the packed result is bound to
     * @throws StepException if it cannot be read
     */
    StoredResult unpackStep(RecordId record, Step<?> step, StoredResult kept) {
        Handled unpacked = kept.equals(StoredResult.NONE) ? Handled.whole(kept) : pipeline.unpack(record, kept);
        unpacked.loss().ifPresent(loss -> {
            throw new StepException(
                    step.id(),
                    Problem.UNREADABLE,
                    "was done by an earlier attempt, and its result cannot be read (" + loss + ")");
        });
        return unpacked.result();
    }

    /** Checks that a result is written again as it was written first. */
    static void requireSame(StoredResult first, @Nullable Object read, ResultCodec codec) {
        StoredResult again = codec.encode(read);
        if (!again.equals(first) && !ComparedResults.same(codec, first, again, read)) {
            throw new ResultCodecException("written, read and written again, it differs");
        }
    }

    /** An effect with its own result and with the packed one. */
    record Packing<T>(WorkResult.Complete<T> plain, WorkResult.Complete<T> packed) {}
}
