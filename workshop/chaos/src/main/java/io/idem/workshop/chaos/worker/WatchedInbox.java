package io.idem.workshop.chaos.worker;

import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
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
        InboxOutcome outcome = inbox.run(wanted, claimed -> granted(of(request.record(), claimed), work));
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

    private Optional<Effect> granted(Lease claimed, InboxWork work) throws Exception {
        Claim.GrantKind kind = claimed.attempt() == 1 ? Claim.GrantKind.FRESH : Claim.GrantKind.RETRY;
        grants.add(new Claim.Granted(claimed, kind));
        stories.add(kind.name(), claimed);
        return work.run(claimed);
    }

    @Override
    public boolean decidesAlone() {
        return inbox.decidesAlone();
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
