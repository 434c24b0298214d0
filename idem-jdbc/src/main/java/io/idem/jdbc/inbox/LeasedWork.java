package io.idem.jdbc.inbox;

import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.jdbc.inbox.ClaimStatements.Found;
import java.util.Optional;
import java.util.Set;

/**
 * Begins the transactions of work whose lease is in this table. On PostgreSQL that of a first attempt begins with the work itself, and
 * does not notice if the work ends it and begins another one; all others do.
 *
 * @param held the records whose transaction must not meet a renewal
 */
record LeasedWork(InboxTransactions transactions, ClaimStatements statements, Set<RecordId> held) {

    /** @param answered whether the record may have an answer already, as that of a later attempt may */
    Claiming begin(Request request, boolean answered) {
        RecordId record = request.record();
        boolean looks = answered || request.lease().attempt() > 1;
        // Asked before the transaction has the connection, which may be the last one.
        boolean holds = statements.holdsLeases();
        InboxTransaction transaction = transactions.begin(record);
        Optional<Claiming> instead = transaction.rollingBackOnFailure(() -> {
            if (holds) {
                held.add(record);
                transaction.atEnd(() -> held.remove(record));
                if (!statements.lock(record)) {
                    return Optional.of(new Claiming.UnderWay());
                }
            }
            return statements.mark(record, looks).flatMap(found -> insteadOf(request.lease(), found));
        });
        if (instead.isPresent()) {
            transaction.rollBack();
            return instead.get();
        }
        return new Claiming.Mine(transaction, request.lease(), false, statements.marks(looks));
    }

    /** Returns the answer of a record to its owner; empty if the work may run. */
    private static Optional<Claiming> insteadOf(Lease lease, Found found) {
        if (!found.row().isLease(lease)) {
            return Claims.answer(found).or(() -> Optional.of(new Claiming.UnderWay()));
        }
        return found.row().again()
                ? Optional.of(new Claiming.Done(found.row(), found.effect()))
                : Optional.empty();
    }
}
