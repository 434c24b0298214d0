package io.idem.engine;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.internal.OutgoingTransports;
import java.time.Duration;

/**
 * Runs work in an inbox that is the store. The claim of the row is the acquire: its answer is published as an event and observed like one.
 */
final class StoreInboxRun<T> extends InboxRun<T> {

    /** The time after which a duplicate of work under way comes again. There is no lease from which it could be taken. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    StoreInboxRun(GrantedOperation operation, Inbox inbox, Engine engine, OutgoingTransports transports) {
        super(operation, inbox, engine, transports);
    }

    @Override
    void claimed(Lease row) {
        super.claimed(row);
        acquired(new Claim.Granted(row, row.attempt() == 1 ? Claim.GrantKind.FRESH : Claim.GrantKind.RETRY));
    }

    private void acquired(Claim claim) {
        operation.attempt().observed().acquired(claim);
        engine.events()
                .publish(
                        new IdempotencyEvent.Claimed(operation.attempt().lease().record(), claim));
    }

    @Override
    Ending<T> leftToItsOwner() {
        return refused(new Claim.InProgress(UNDER_WAY));
    }

    @Override
    Ending<T> refused(Claim claim) {
        acquired(claim);
        return Ending.answered(engine.answer(operation.attempt().operation(), claim), null);
    }

    @Override
    Ending<T> found(Effect effect) {
        if (!isForPayloadOf(effect)) {
            return refused(new Claim.Mismatch());
        }
        acquired(new Claim.Replay(effect.result(), operation.attempt().fence()));
        return published(effect);
    }
}
