package io.idem.retry;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A blocking call with its repetitions. Remembers whether any of them may have been executed. */
final class Repetition {

    static final String NAME = "idem-store";

    private final RetryConfig pauses;
    private final BooleanSupplier withinBudget;
    private boolean maybeExecuted;

    Repetition(RetryConfig pauses, BooleanSupplier withinBudget) {
        this.pauses = pauses;
        this.withinBudget = withinBudget;
    }

    /** Runs the call, and repeats it after a failure. */
    <T> T run(Supplier<T> call) {
        Retry retry = Retry.of(
                NAME,
                RetryConfig.from(pauses).retryOnException(this::worthRepeating).build());
        try {
            return retry.executeSupplier(call);
        } catch (StoreUnavailableException last) {
            throw asWhole(last, maybeExecuted);
        }
    }

    private boolean worthRepeating(Throwable failure) {
        if (!(failure instanceof StoreUnavailableException unavailable)) {
            return false;
        }
        maybeExecuted |= unavailable.execution() == Execution.UNKNOWN;
        return withinBudget.getAsBoolean();
    }

    /** Returns the failure of a call with all of its tries, of which {@code last} ended the last one. */
    static StoreUnavailableException asWhole(StoreUnavailableException last, boolean maybeExecuted) {
        return maybeExecuted && last.execution() == Execution.NOT_EXECUTED ? asUnknown(last) : last;
    }

    /**
     * Returns the failure of a call whose last try was refused and whose earlier one was not answered: its outcome is
     * unknown.
     */
    private static StoreUnavailableException asUnknown(StoreUnavailableException last) {
        return new StoreUnavailableException(
                "An earlier try may have been executed; the last one was not: " + last.getMessage(),
                Execution.UNKNOWN,
                last);
    }
}
