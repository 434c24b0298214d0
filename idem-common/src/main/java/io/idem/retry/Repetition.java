package io.idem.retry;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One call and its repetitions. Remembers whether any of them may have been executed. */
final class Repetition {

    static final String NAME = "idem-store";

    private final Retry retry;
    private final BooleanSupplier withinBudget;
    private boolean maybeExecuted;

    Repetition(RetryConfig pauses, BooleanSupplier withinBudget) {
        this.withinBudget = withinBudget;
        this.retry = Retry.of(
                NAME,
                RetryConfig.from(pauses).retryOnException(this::worthRepeating).build());
    }

    <T> T run(Supplier<T> call) {
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

    /** What holds for a call and all of its tries, of which {@code last} ended the last one. */
    static StoreUnavailableException asWhole(StoreUnavailableException last, boolean maybeExecuted) {
        return maybeExecuted && last.execution() == Execution.NOT_EXECUTED ? asUnknown(last) : last;
    }

    /** The last try was refused, but an earlier one was not answered: what holds for the call is that nobody knows. */
    private static StoreUnavailableException asUnknown(StoreUnavailableException last) {
        return new StoreUnavailableException(
                "An earlier try may have been executed; the last one was not: " + last.getMessage(),
                Execution.UNKNOWN,
                last);
    }
}
