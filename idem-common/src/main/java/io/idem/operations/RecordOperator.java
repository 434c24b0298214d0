package io.idem.operations;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.operations.InboxedCompletion.Answer;
import io.idem.operations.OperatorAct.Action;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator's writes to single records. Each needs a reason and is audited, whatever its outcome, by the logger
 * {@value #AUDIT} and by the application's own consumer. Each takes effect only if the record is still as it was found.
 * Thread-safe; blocks.
 *
 * <p>After a release or a completion, the writes of a living owner are refused, but its work is not stopped and may
 * still take effect.
 */
public final class RecordOperator {

    /** The name of the logger of all acts. */
    public static final String AUDIT = "idem.audit";

    /** The longest reason, in characters. */
    public static final int LONGEST_REASON = 500;

    private static final Logger LOG = LoggerFactory.getLogger(AUDIT);

    private final IdempotencyStore store;
    private final Function<Scope, Duration> retentions;
    private final Consumer<OperatorAct> audit;
    private final Supplier<Optional<Inbox>> inbox;
    private final Consumer<StoredResult> elsewhere;

    /**
     * Creates an operator for an application without inboxes whose store keeps all results itself.
     *
     * @param policies give the retention of records after an act
     * @param audit receives every act after it was logged
     */
    public RecordOperator(IdempotencyStore store, ScopePolicies policies, Consumer<OperatorAct> audit) {
        this(store, scope -> policies.of(scope).retention(), audit, Optional::empty, result -> {});
    }

    /**
     * Creates an operator for an application whose participants have retentions of their own, and which may have inboxes
     * and results outside of its records. COMPLETE is refused if the inbox row keeps messages or a result that the record
     * would hide, and while an attempt has its transaction open. Otherwise it writes a row, so that no attempt commits
     * afterwards. Must not be called inside a transaction.
     *
     * @param retentions give the retention of a scope's records after an act
     * @param audit receives every act after it was logged
     * @param inbox returns the inbox in which work of the application runs, asked at each use; empty if there is none
     * @param elsewhere removes the part of a result that is kept outside its record, before the record is erased; may be
     *     repeated
     */
    public RecordOperator(
            IdempotencyStore store,
            Function<Scope, Duration> retentions,
            Consumer<OperatorAct> audit,
            Supplier<Optional<Inbox>> inbox,
            Consumer<StoredResult> elsewhere) {
        this.store = store;
        this.retentions = retentions;
        this.audit = audit;
        this.inbox = inbox;
        this.elsewhere = elsewhere;
    }

    /** Returns the inbox beside the store. Where the rows are the records, the store completes by itself. */
    private Optional<Inbox> beside() {
        return inbox.get().filter(rows -> !rows.keepsRecords());
    }

    /**
     * Returns the steps of a record: those that the store keeps, else those in the database of the inbox. An inbox that does
     * not answer has none, because its table for steps may be missing.
     *
     * @throws StoreUnavailableException if the store did not answer
     */
    public RememberedSteps steps(RecordId record) {
        RememberedSteps kept = store.steps(record);
        return kept.steps().isEmpty()
                ? beside().flatMap(Inbox::lastPhase)
                        .map(phases -> steps(phases, record))
                        .orElse(kept)
                : kept;
    }

    private static RememberedSteps steps(Inbox.LastPhase inbox, RecordId record) {
        try {
            return inbox.steps(record);
        } catch (StoreUnavailableException silent) {
            LOG.debug("The steps of {} cannot be read", record, silent);
            return RememberedSteps.NONE;
        }
    }

    /**
     * Does an act to the records of a key in all announced scopes; see {@link #act(Action, RecordId, String, String)}.
     *
     * @return what was done, one entry per record
     */
    public List<OperatorAct> act(Action action, IdempotencyKey key, String operator, String reason) {
        return store.inspectAll(key).stream()
                .map(record -> act(action, new RecordId(key, record.scope()), operator, reason))
                .toList();
    }

    /**
     * Does an act if the record's state allows it: RELEASE and COMPLETE of PENDING and FAILED work, REOPEN of REJECTED
     * and exhausted work, ERASE of COMPLETED and REJECTED work. Finished work is never reopened, because it could take
     * effect twice. An inbox keeps its row: where there is one, a redriven message is answered from it.
     *
     * @param operator the operator
     * @throws IllegalArgumentException if the reason is blank, too long or has control characters, or for REDRIVE,
     *     which is the task of a {@link DeadLetterRedriver}
     * @throws StoreUnavailableException if the store or the inbox's database did not answer; the call may be repeated
     */
    public OperatorAct act(Action action, RecordId record, String operator, String reason) {
        checkReason(reason);
        require(action != Action.REDRIVE, "A redrive moves a message too; ask a DeadLetterRedriver for it");
        try {
            Optional<RecordSnapshot> found = store.inspect(record);
            Answer answer = found.map(seen -> did(action, record, seen)).orElse(new Answer(false));
            RecordState state = found.map(RecordSnapshot::state).orElse(RecordState.ABSENT);
            return audited(new OperatorAct(record, action, operator, reason, state, answer.done(), answer.why()));
        } catch (RuntimeException failure) {
            audited(new OperatorAct(
                    record, action, operator, reason, RecordState.ABSENT, false, Optional.of(failure.toString())));
            throw failure;
        }
    }

    static void checkReason(String reason) {
        require(
                !reason.isBlank() && reason.length() <= LONGEST_REASON,
                "Give a reason of 1 to " + LONGEST_REASON + " characters");
        require(
                reason.chars().noneMatch(Character::isISOControl),
                "The reason contains a control character; write it in one line");
    }

    private Answer did(Action action, RecordId record, RecordSnapshot found) {
        Duration retention = retentions.apply(record.scope());
        return switch (action) {
            case RELEASE -> answer(store.force(record, found.fence(), ForcedEnd.FAILED, retention));
            case COMPLETE ->
                complete(record, found, () -> store.force(record, found.fence(), ForcedEnd.COMPLETED, retention));
            case REOPEN, REDRIVE ->
                found.state() == RecordState.COMPLETED
                        ? new Answer(false)
                        : answer(store.reopen(record, found.fence(), retention));
            case ERASE -> {
                elsewhere.accept(found.result());
                yield answer(store.erase(record));
            }
        };
    }

    private Answer complete(RecordId record, RecordSnapshot found, Supplier<StoreAnswer> force) {
        boolean unfinished = found.state() == RecordState.PENDING || found.state() == RecordState.FAILED;
        return beside().filter(rows -> unfinished)
                .map(rows -> new InboxedCompletion(rows).complete(record, found, force))
                .orElseGet(() -> answer(force.get()));
    }

    private static Answer answer(StoreAnswer answer) {
        return new Answer(answer instanceof StoreAnswer.Ok);
    }

    OperatorAct audited(OperatorAct act) {
        LOG.info(
                "{} of {} by {}: {} (found {}); reason: {}",
                act.action(),
                act.record(),
                act.operator(),
                act.failure().orElse(act.done() ? "done" : "refused"),
                act.found(),
                act.reason());
        try {
            audit.accept(act);
        } catch (RuntimeException failure) {
            LOG.error("The audit of the application has not taken this act, which has ended as said above", failure);
        }
        return act;
    }
}
