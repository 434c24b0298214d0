package io.idem.internal;

import io.idem.CommitUnknownException;
import io.idem.IdempotencyException;
import io.idem.KeyInProgressException;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.WorkResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call of an {@code @Idempotent} method that could not run now. The work that made it has not failed. */
public record NotNow(IdempotencyException why) {

    /** Returns the call because of which work failed; null if it failed for another reason. */
    public static @Nullable NotNow of(@Nullable Throwable failure) {
        IdempotencyException held = Causes.find(failure, KeyInProgressException.class);
        IdempotencyException why = held == null ? Causes.find(failure, StoreUnavailableException.class) : held;
        return why == null || Causes.find(failure, CommitUnknownException.class) != null ? null : new NotNow(why);
    }

    /**
     * Returns why work failed. A call that had the key of the work itself, on whatever thread, did not come too early: it
     * can never run.
     */
    public static Throwable unlessOwn(Throwable failure, RecordId work) {
        KeyInProgressException held = Causes.find(failure, KeyInProgressException.class);
        if (held == null || !held.record().equals(work)) {
            return failure;
        }
        IllegalStateException own = ownCall(work);
        own.addSuppressed(failure);
        return own;
    }

    /** Returns the failure of a call with the key of the work that makes it. */
    public static IllegalStateException ownCall(RecordId work) {
        return new IllegalStateException(
                work + " is called inside its own work and would wait for itself for ever. Call"
                        + " the method on the object itself, not on its proxy, or give the inner call another key");
    }

    /** Returns the end of the work's attempt, which does not count. */
    public <T> WorkResult<T> release(T value) {
        return WorkResult.Release.uncounted(value, why.getClass().getName());
    }

    /** Returns when to call again; zero if that is unknown. */
    public Duration retryAfter() {
        return why instanceof KeyInProgressException held ? held.retryAfter() : Duration.ZERO;
    }
}
