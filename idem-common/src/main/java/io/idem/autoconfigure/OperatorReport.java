package io.idem.autoconfigure;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.internal.operations.DeferredKeys;
import io.idem.internal.operations.RecentEvents;
import io.idem.internal.operations.ShownRecord;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.OperatorAct;
import io.idem.operations.ScopeRegistry;
import io.idem.operations.UnsentMessages;
import io.idem.spi.DeadLetterSource;
import io.idem.spi.RecordLister;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the operators' endpoint.
 *
 * @param keyId the digest of the key that was asked for, as in logs; null otherwise
 * @param records the records of the key that was asked for
 * @param note what it may mean that the key has no record; null otherwise
 * @param scopes the scopes of this application
 * @param waiting the keys that this process defers because another owner holds the lease
 * @param takeovers the last takeovers of this process
 * @param failures the last failures of this process
 * @param outbox the work whose messages have not left
 */
record OperatorReport(
        @Nullable String keyId,
        List<ShownRecord> records,
        @Nullable String note,
        List<String> scopes,
        List<Waiting> waiting,
        List<RecentEvents.Recent> takeovers,
        List<RecentEvents.Recent> failures,
        List<UnsentMessages.Report> outbox) {

    private static final int MOST_WAITING = 100;

    static OperatorReport ofKey(IdempotencyKey key, List<ShownRecord> records) {
        String note = records.isEmpty() ? ShownRecord.NOTHING : null;
        return new OperatorReport(key.id(), records, note, List.of(), List.of(), List.of(), List.of(), List.of());
    }

    static OperatorReport ofProcess(
            ScopeRegistry scopes, DeferredKeys keys, RecentEvents recent, Stream<UnsentMessages> outboxes) {
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
                null,
                List.of(),
                null,
                known.stream().map(Scope::name).toList(),
                waiting,
                recent.takeovers(),
                recent.failures(),
                outboxes.map(UnsentMessages::report).toList());
    }

    static Listing listing(RecordLister.Page page, RecordState state) {
        return new Listing(
                page.records().stream()
                        .filter(listed -> listed.record().state() == state)
                        .map(listed -> ShownRecord.of(listed.keyId(), listed.record(), null, List.of()))
                        .toList(),
                page.next().equals(RecordLister.START) ? null : page.next());
    }

    static Act act(OperatorAct act) {
        return new Act(
                ShownRecord.lower(act.action()),
                ShownRecord.lower(act.found()),
                act.done(),
                act.failure().orElse(null),
                null);
    }

    static Act redrive(DeadLetterRedriver.Redrive redrive) {
        return new Act(
                ShownRecord.lower(OperatorAct.Action.REDRIVE),
                ShownRecord.lower(redrive.found()),
                redrive.moved(),
                null,
                redrive.search().map(Searched::of).orElse(null));
    }

    /** A key that is deferred because another owner holds the lease. */
    record Waiting(String keyId, String scope, long waitedSeconds, boolean stale) {

        static Waiting of(DeferredKeys.DeferredKey key, boolean stale) {
            RecordId record = key.record();
            return new Waiting(
                    record.key().id(), record.scope().name(), key.waited().toSeconds(), stale);
        }
    }

    /**
     * A page of records in one state.
     *
     * @param next the cursor of the next page; null after the last one
     */
    record Listing(List<ShownRecord> records, @Nullable String next) {}

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
