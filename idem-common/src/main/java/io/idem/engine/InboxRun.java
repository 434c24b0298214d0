package io.idem.engine;

import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.Publications;
import io.idem.Reconciliation;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.internal.OutgoingTransports;
import io.idem.spi.ExecutionEnd;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs work inside an inbox transaction (strong mode) and publishes the messages of its row after the commit. */
class InboxRun<T> {

    final GrantedOperation operation;
    final Inbox inbox;
    final Engine engine;
    private final OutgoingTransports transports;
    private @Nullable Ending<T> end;
    private Reconciliation decision = new Reconciliation.NotDone();

    InboxRun(GrantedOperation operation, Inbox inbox, Engine engine, OutgoingTransports transports) {
        this.operation = operation;
        this.inbox = inbox;
        this.engine = engine;
        this.transports = transports;
    }

    /** Runs the work, unless the row says that it is not to run. */
    Ending<T> run(Work<T> work) throws Exception {
        InboxOutcome outcome = runKeeping(work);
        Optional<Ending<T>> known = known(outcome);
        if (known.isPresent()) {
            return known.get();
        }
        if (outcome instanceof InboxOutcome.Refused refused) {
            return refused(refused.claim());
        }
        if (!(decision instanceof Reconciliation.NotDone)) {
            return new Ending.Decided<>(decision);
        }
        if (outcome instanceof InboxOutcome.Committed committed) {
            operation.tookEffect();
            operation.attempt().committed();
            publish(committed.effect().outgoing());
        }
        return Objects.requireNonNull(end, () -> "The inbox " + inbox + " answered without running the work");
    }

    /**
     * Leaves the lease to expire: the open transaction may take effect, and after a release the next grant would look
     * like a retry after a known failure.
     */
    Ending<T> leftToItsOwner() {
        return Ending.answered(
                new Outcome.InProgress<>(operation.attempt().lease().duration()), ExecutionEnd.LEFT);
    }

    /** Returns the end by the row, if there is one; runs nothing. */
    Optional<Ending<T>> lookUp() throws Exception {
        return known(inbox.run(request(), claimed -> Optional.empty()));
    }

    /** Returns the end of work that another attempt has done, or may have; empty if this one may run. */
    private Optional<Ending<T>> known(InboxOutcome outcome) throws Exception {
        if (outcome instanceof InboxOutcome.Found found) {
            return Optional.of(found(found.effect()));
        }
        if (outcome instanceof InboxOutcome.Again again) {
            return Optional.of(ended(again));
        }
        return outcome instanceof InboxOutcome.Open ? Optional.of(leftToItsOwner()) : Optional.empty();
    }

    /**
     * Ends an attempt of another owner after which the work runs again: its messages may not have been sent. If its own
     * message is not among them, this delivery brings the next attempt. Nothing of this attempt is left to be written.
     */
    private Ending<T> ended(InboxOutcome.Again attempt) throws Exception {
        publish(attempt.effect().outgoing());
        boolean confirmed = operation.confirmed();
        Outcome<T> answer = operation.settle(Ending.givenBack(
                operation,
                confirmed && !attempt.effect().outgoing().isEmpty()
                        ? new Outcome.Replayed<>(StoredResult.NONE)
                        : new Outcome.InProgress<>(Duration.ofSeconds(1))));
        if (confirmed) {
            inbox.remove(operation.attempt().lease().record(), attempt.owner());
        }
        return Ending.answered(answer, null);
    }

    InboxOutcome runKeeping(Work<T> work) throws Exception {
        Publications publications = operation.attempt().publications();
        publications.keeping(true);
        try {
            return inbox.run(request(), new KeepingWork(work));
        } finally {
            publications.keeping(false);
        }
    }

    /** Work whose messages are kept, also those that callbacks publish before the commit. */
    final class KeepingWork implements Inbox.InboxWork {

        private final Work<T> work;

        KeepingWork(Work<T> work) {
            this.work = work;
        }

        @Override
        public Optional<Effect> run(Lease claimed) throws Exception {
            return effectOf(claimed, work);
        }

        @Override
        public IdempotencyContext.Binding bind() {
            return operation.attempt().bind();
        }

        @Override
        public Effect beforeCommit(Effect effect) {
            operation.attempt().requireOwner();
            Publications publications = operation.attempt().publications();
            return new Effect(
                    publications.isAgain() ? StoredResult.AGAIN : effect.result(),
                    publications.endKeeping(),
                    effect.fingerprint());
        }

        @Override
        public void afterCommit() {
            operation.attempt().publications().committed();
        }
    }

    /**
     * Returns the effect to commit with a row that is new. The inbox does not know the work, so the takeover policy is
     * asked first.
     */
    private Optional<Effect> effectOf(Lease claimed, Work<T> work) throws Exception {
        claimed(claimed);
        decision = engine.takeovers().decide(operation.attempt());
        if (decision instanceof Reconciliation.NotDone) {
            return claimedAndRun(work);
        }
        return decision instanceof Reconciliation.Done done
                ? owned(new Effect(done.result(), List.of()))
                : Optional.empty();
    }

    /** Runs the work in the transaction that has claimed the row. */
    Optional<Effect> claimedAndRun(Work<T> work) throws Exception {
        return call(work);
    }

    /** Runs the work. Returns the effect to commit; empty to roll back. */
    final Optional<Effect> call(Work<T> work) throws Exception {
        Attempt attempt = operation.attempt();
        WorkResult<T> said = operation.call(work);
        if (!(said instanceof WorkResult.Complete<T> complete)) {
            end = Ending.of(operation.attempt(), said);
            return Optional.empty();
        }
        WorkResult.Complete<T> packed = engine.results().pack(attempt.lease(), complete);
        end = new Ending.Done<>(complete, packed);
        return owned(new Effect(packed.result(), attempt.publications().kept()));
    }

    /** Returns the decision about an earlier attempt of unknown outcome. */
    final Reconciliation decision() {
        return decision;
    }

    /** Notes that the row was claimed, before the work begins. */
    void claimed(Lease row) {
        operation.attempt().claimed(row);
    }

    /** Returns the answer to a claim that lets no work run. */
    Ending<T> refused(Claim claim) {
        throw new IllegalStateException("The inbox " + inbox + " is not the store and answered " + claim);
    }

    final Inbox.Request request() {
        Operation run = operation.attempt().operation();
        return new Inbox.Request(
                operation.attempt().lease(), fingerprint(), run.policy().maxAttempts());
    }

    private Fingerprint fingerprint() {
        return operation.attempt().operation().fingerprint();
    }

    private Optional<Effect> owned(Effect effect) {
        operation.attempt().requireOwner();
        return Optional.of(effect);
    }

    /**
     * Ends a redelivery of committed work. Its messages may not have been sent, so they are published again. The key of
     * another payload, which the store had lost and granted again, is given back.
     */
    Ending<T> found(Effect effect) {
        if (!isForPayloadOf(effect)) {
            return Ending.givenBack(operation, new Outcome.Mismatch<>());
        }
        operation.tookEffect();
        engine.events()
                .publish(new IdempotencyEvent.FoundInInbox(operation.attempt().lease()));
        if (inbox.keepsRecords()) {
            operation.leave(null, false);
            return published(effect);
        }
        publish(effect.outgoing());
        return new Ending.Found<>(effect);
    }

    boolean isForPayloadOf(Effect effect) {
        return effect.fingerprint().matches(fingerprint());
    }

    /**
     * Answers a duplicate from its row and writes nothing: the record, if there is one, belongs to another payload.
     *
     * @return empty if the row does not say that the work was done for this payload
     */
    Optional<Ending<T>> answerBesideRecord() {
        Attempt attempt = operation.attempt();
        Optional<Effect> row = inbox.find(attempt.lease().record())
                .filter(found -> !found.again() && !found.fingerprint().isNone() && isForPayloadOf(found));
        row.ifPresent(found -> engine.events().publish(new IdempotencyEvent.FoundInInbox(attempt.lease())));
        return row.map(this::published);
    }

    /** Answers a duplicate of work that took effect from its row, whose messages may not have been sent. */
    Optional<Ending<T>> answerAgain() throws Exception {
        Optional<Effect> row = inbox.find(operation.attempt().lease().record());
        return row.filter(Effect::again).isPresent()
                ? lookUp().or(() -> Optional.of(Ending.answered(new Outcome.InProgress<>(Duration.ZERO), null)))
                : row.map(this::published);
    }

    /** Publishes the messages of a row again and answers with its result once they are confirmed. */
    Ending<T> published(Effect row) {
        publish(row.outgoing());
        return Ending.answered(
                operation.confirmed()
                        ? new Outcome.Replayed<>(engine.results()
                                .unpack(operation.attempt().lease().record(), row.result()))
                        : new Outcome.InProgress<>(Duration.ZERO),
                null);
    }

    private void publish(List<OutgoingMessage> outgoing) {
        Publications publications = operation.attempt().publications();
        outgoing.forEach(message -> publications.track(transports.publish(message), () -> transports.publish(message)));
    }
}
