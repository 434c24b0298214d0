package io.idem.internal.operations;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoredResult;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A record as operators see it, without its result. Reason and steps only where one key was asked for: reasons may contain
 * messages of exceptions, and steps are read record by record.
 *
 * @param keyId the digest of the key, as in logs
 * @param at a moment by the store's clock
 * @param atIs what {@code at} is: lease-end, next-attempt or settled
 * @param next what happens to the next delivery or request of the key
 * @param result codec and size of the result
 * @param seen what this process has seen of attempts that took no effect, latest first
 * @param steps the steps that are remembered; null in a listing
 */
public record ShownRecord(
        String keyId,
        String scope,
        String state,
        int attempts,
        long fence,
        Instant at,
        String atIs,
        String next,
        String result,
        String reason,
        List<RecentEvents.Recent> seen,
        @Nullable List<Step> steps) {

    /** The meaning of an answer without a record. */
    public static final String NOTHING =
            "No announced scope has a record of this key of this tenant: it was never seen; or"
                    + " its retention is over; or it is in another namespace or database; or, with idem.store=inbox, its first"
                    + " attempt is under way in a transaction, whose row nobody else sees yet; or its listener makes its keys of fields, an expression or a position:"
                    + " then ask for that key.";

    /**
     * Returns a record.
     *
     * @param steps the steps that are remembered; null in a listing, which does not show the reason either
     */
    public static ShownRecord of(
            String keyId, RecordSnapshot record, @Nullable RememberedSteps steps, List<RecentEvents.Recent> seen) {
        return new ShownRecord(
                keyId,
                record.scope().name(),
                lower(record.state()),
                record.attempts(),
                record.fence(),
                record.at(),
                atIs(record.state()),
                next(record.state()),
                record.result().toString(),
                steps == null ? "" : record.reason(),
                seen,
                steps == null ? null : steps.steps().stream().map(Step::of).toList());
    }

    private static String atIs(RecordState state) {
        return switch (state) {
            case PENDING -> "lease-end";
            case FAILED -> "next-attempt";
            default -> "settled";
        };
    }

    private static String next(RecordState state) {
        return switch (state) {
            case PENDING ->
                "waits for its owner, and takes over once the lease has ended without renewal, unless its attempts are used"
                        + " up";
            case FAILED ->
                "runs, from that moment on, unless its attempts are used up: then an operator must reopen the record. If the"
                        + " moment is past and nothing comes, the container has given the message up: look for it among"
                        + " the dead letters";
            case REJECTED -> "does not run until an operator reopens the record";
            default -> "is answered without running";
        };
    }

    /** Returns the name of a constant in lower case. */
    public static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /**
     * A remembered step.
     *
     * @param kind done or begun
     * @param bytes the size of the result as it is stored
     * @param kept whether the result of a step that was done is there for later attempts
     * @param fence the fence of the attempt
     */
    public record Step(String id, String kind, int bytes, boolean kept, long fence) {

        private static Step of(RememberedStep step) {
            return new Step(
                    step.id(),
                    lower(step.kind()),
                    step.result().size(),
                    step.kind() == Kind.DONE && !step.result().equals(StoredResult.OMITTED),
                    step.fence());
        }
    }
}
