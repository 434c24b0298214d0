package io.idem.demo.watch;

import io.idem.demo.ledger.LedgerEntry;
import io.idem.demo.provider.Accounts;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Pauses the process so that a supervisor can kill it at the worst moments: the account is charged, and the business
 * transaction is not committed; or it is, and the record is not completed. Only where a supervisor asks for it, for
 * {@link Accounts#CHARGED} and {@link Accounts#HELD}, and in the first attempt.
 */
@Component
@ConditionalOnBooleanProperty("demo.pause-at-commit")
class PauseAtCommit {

    private static final int PAUSE_SECONDS = 5;

    private final WorkerLog log;

    PauseAtCommit(WorkerLog log) {
        this.log = log;
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    void committing(LedgerEntry entry) throws InterruptedException {
        pauseAt(What.COMMITTING, Accounts.CHARGED, entry);
    }

    @TransactionalEventListener
    void committed(LedgerEntry entry) throws InterruptedException {
        pauseAt(What.COMMITTED, Accounts.HELD, entry);
    }

    private void pauseAt(What moment, String account, LedgerEntry entry) throws InterruptedException {
        if (entry.account().equals(account) && entry.attempt() == 1) {
            log.write(moment, entry.kind(), entry.key().id(), "", entry.fence());
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
        }
    }
}
