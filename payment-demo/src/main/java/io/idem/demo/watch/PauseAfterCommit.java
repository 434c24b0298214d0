package io.idem.demo.watch;

import io.idem.demo.ledger.LedgerEntry;
import io.idem.demo.provider.Accounts;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Pauses the process so that a supervisor can kill it at the worst moment: the business transaction is committed, and the
 * record is not completed. Only where a supervisor asks for it, for {@link Accounts#HELD}, and in the first attempt.
 */
@Component
@ConditionalOnBooleanProperty("demo.pause-after-commit")
class PauseAfterCommit {

    private static final int PAUSE_SECONDS = 5;

    private final WorkerLog log;

    PauseAfterCommit(WorkerLog log) {
        this.log = log;
    }

    @TransactionalEventListener
    void committed(LedgerEntry entry) throws InterruptedException {
        if (entry.account().equals(Accounts.HELD) && entry.attempt() == 1) {
            log.write(What.COMMITTED, entry.kind(), entry.key().id(), "", entry.fence());
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
        }
    }
}
