package io.idem.workshop.chaos.worker;

import io.idem.Claim;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * An inbox that is the only store, with logs of its claims and answers, as {@link WatchedStore} and {@link ToldStore}
 * write them for another store. Changes no answer, unless it has a flaw.
 */
final class WatchedInbox implements Inbox {

    private final Inbox inbox;
    private final GrantLog grants;
    private final StoryLog stories;
    private final Flaw flaw;

    WatchedInbox(Inbox inbox, GrantLog grants, StoryLog stories, Flaw flaw) {
        this.inbox = inbox;
        this.grants = grants;
        this.stories = stories;
        this.flaw = flaw;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        stories.asked(request.record());
        Request wanted = flaw == Flaw.COMPLETE_FORGOTTEN ? underAnotherKey(request) : request;
        InboxOutcome outcome = inbox.run(wanted, new WatchedWork(request.record(), work));
        if (outcome instanceof InboxOutcome.Committed || outcome instanceof InboxOutcome.Found) {
            stories.add("COMPLETED", request.lease());
        }
        return outcome;
    }

    /** Returns a request for the row of a key that no other delivery has. */
    private static Request underAnotherKey(Request request) {
        String key = request.record().key().value() + "-" + UUID.randomUUID();
        RecordId other = new RecordId(IdempotencyKey.of(key), request.record().scope());
        return new Request(of(other, request.lease()), request.fingerprint(), request.maxAttempts());
    }

    private static Lease of(RecordId record, Lease lease) {
        return new Lease(record, lease.owner(), lease.fence(), lease.attempt(), lease.duration(), lease.retention());
    }

    private void granted(Lease claimed) {
        Claim.GrantKind kind = claimed.attempt() == 1 ? Claim.GrantKind.FRESH : Claim.GrantKind.RETRY;
        grants.add(new Claim.Granted(claimed, kind));
        stories.add(kind.name(), claimed);
    }

    /** Work whose grant is logged. */
    private final class WatchedWork implements InboxWork {

        private final RecordId record;
        private final InboxWork work;

        WatchedWork(RecordId record, InboxWork work) {
            this.record = record;
            this.work = work;
        }

        @Override
        public Optional<Effect> run(Lease claimed) throws Exception {
            Lease lease = of(record, claimed);
            granted(lease);
            return work.run(lease);
        }

        @Override
        public IdempotencyContext.Binding bind() {
            return work.bind();
        }

        @Override
        public Effect beforeCommit(Effect effect) {
            return work.beforeCommit(effect);
        }

        @Override
        public void afterCommit() {
            work.afterCommit();
        }
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        inbox.remove(record, owner);
    }

    @Override
    public boolean keepsRecords() {
        return inbox.keepsRecords();
    }

    @Override
    public Duration retention() {
        return inbox.retention();
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return inbox.find(record);
    }

    @Override
    public Optional<Failures> failures() {
        return inbox.failures();
    }
}
