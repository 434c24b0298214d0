package io.idem.autoconfigure;

import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.internal.operations.DeferredKeys;
import io.idem.internal.operations.RecentEvents;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.OperatorAct;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.DeadLetterSource;
import io.idem.spi.RecordLister;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the operators' endpoint. Results, those of steps included, are never shown; reasons and steps only if
 * one key was asked for: reasons may contain messages of exceptions, and steps are read record by record.
 *
 * @param records the records of the key that was asked for
 * @param scopes the scopes of this application
 * @param waiting the keys that this process defers because another owner holds the lease
 * @param takeovers the last takeovers of this process
 * @param failures the last failures of this process
 */
record OperatorReport(
        List<Shown> records,
        List<String> scopes,
        List<Waiting> waiting,
        List<RecentEvents.Recent> takeovers,
        List<RecentEvents.Recent> failures) {

    private static final int MOST_WAITING = 100;

    static OperatorReport ofKey(List<RecordSnapshot> records, Function<RecordSnapshot, RememberedSteps> steps) {
        return new OperatorReport(
                records.stream()
                        .map(record -> Shown.of(null, record, record.reason(), ShownStep.of(steps.apply(record))))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    static OperatorReport ofProcess(ScopeRegistry scopes, DeferredKeys keys, RecentEvents recent) {
        List<Scope> known = scopes.scopes().stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
        List<Waiting> waiting = known.stream()
                .flatMap(keys::waiting)
                .sorted((one, other) -> other.waited().compareTo(one.waited()))
                .limit(MOST_WAITING)
                .map(key -> Waiting.of(key, keys.isStale(key)))
                .toList();
        return new OperatorReport(
                List.of(), known.stream().map(Scope::name).toList(), waiting, recent.takeovers(), recent.failures());
    }

    static Listing listing(RecordLister.Page page, RecordState state) {
        return new Listing(
                page.records().stream()
                        .filter(listed -> listed.record().state() == state)
                        .map(listed -> Shown.of(listed.keyId(), listed.record(), "", null))
                        .toList(),
                page.next().equals(RecordLister.START) ? null : page.next());
    }

    static Act act(OperatorAct act) {
        return new Act(
                lower(act.action()),
                lower(act.found()),
                act.done(),
                act.failure().orElse(null),
                null);
    }

    static Act redrive(DeadLetterRedriver.Redrive redrive) {
        return new Act(
                lower(OperatorAct.Action.REDRIVE),
                lower(redrive.found()),
                redrive.moved(),
                null,
                redrive.search().map(Searched::of).orElse(null));
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /**
     * A record.
     *
     * @param at the end of the lease, the earliest retry, or the moment of settling, by the store's clock
     * @param result codec and size of the result
     * @param steps the steps that are remembered; null in a listing
     */
    record Shown(
            @Nullable String keyId,
            String scope,
            String state,
            int attempts,
            long fence,
            Instant at,
            String result,
            String reason,
            @Nullable List<ShownStep> steps) {

        static Shown of(@Nullable String keyId, RecordSnapshot record, String reason, @Nullable List<ShownStep> steps) {
            return new Shown(
                    keyId,
                    record.scope().name(),
                    lower(record.state()),
                    record.attempts(),
                    record.fence(),
                    record.at(),
                    record.result().toString(),
                    reason,
                    steps);
        }
    }

    /**
     * A remembered step.
     *
     * @param kind done or begun
     * @param bytes the size of the result as it is stored
     * @param kept whether the result of a step that was done is there for later attempts
     * @param fence the fence of the attempt
     */
    record ShownStep(String id, String kind, int bytes, boolean kept, long fence) {

        static List<ShownStep> of(RememberedSteps steps) {
            return steps.steps().stream().map(ShownStep::of).toList();
        }

        private static ShownStep of(RememberedStep step) {
            return new ShownStep(
                    step.id(),
                    lower(step.kind()),
                    step.result().size(),
                    step.kind() == Kind.DONE && !step.result().equals(StoredResult.OMITTED),
                    step.fence());
        }
    }

    /** A key that is deferred because another owner holds the lease. */
    record Waiting(String keyId, String scope, long waitedSeconds, boolean stale) {

        static Waiting of(DeferredKeys.DeferredKey key, boolean stale) {
            return new Waiting(
                    key.record().key().id(),
                    key.record().scope().name(),
                    key.waited().toSeconds(),
                    stale);
        }
    }

    /**
     * A page of records in one state.
     *
     * @param next the cursor of the next page; null after the last one
     */
    record Listing(List<Shown> records, @Nullable String next) {}

    /**
     * The outcome of a write.
     *
     * @param why the reason why it was not done, unless {@code found} says so
     * @param search the outcome of the search for a dead letter
     */
    record Act(
            String action,
            String found,
            boolean done,
            @Nullable String why,
            @Nullable Searched search) {}

    /**
     * The outcome of a search for a dead letter.
     *
     * @param examined the number of messages that were looked at
     * @param letter moved, kept or missing
     * @param to the queue or topic that it was moved to; null if it was not
     * @param more whether there are messages that were not looked at
     */
    record Searched(int examined, String letter, @Nullable String to, boolean more) {

        static Searched of(DeadLetterSource.Search search) {
            if (search instanceof DeadLetterSource.Search.Moved moved) {
                return new Searched(moved.examined(), "moved", moved.to(), false);
            }
            return search instanceof DeadLetterSource.Search.Missing missing
                    ? new Searched(missing.examined(), "missing", null, missing.more())
                    : new Searched(search.examined(), "kept", null, false);
        }
    }
}
