package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Inbox.Beginning;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Lease;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** MariaDB as it is from 11.6.2 on: a transaction cannot change rows that others have changed since it began. */
@Tag("extended")
class MariaDbSnapshotIsolationTest {

    @Test
    void aRenewalDoesNotRollBackTheTransactionOfItsWork() {
        try (InboxDatabase database =
                MariaDbInboxContractTest.with("?sessionVariables=innodb_snapshot_isolation=ON")) {
            JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
            new InboxSchema(database.dataSource(), manager).create();
            InboxStore store = new InboxStore(database.dataSource());
            JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager).asStore(store);
            Lease lease = ((Claim.Granted) store.grant(AcquireRequest.trial(0))).lease();
            Beginning.Begun work =
                    (Beginning.Begun) inbox.lastPhase().orElseThrow().begin(Leases.request(lease));
            var unused = database.jdbc().queryForList("SELECT * FROM ledger");

            StoreAnswer renewed = CompletableFuture.supplyAsync(() -> store.update(new RecordUpdate.Renew(lease)))
                    .join();
            InboxOutcome outcome = work.commit(mine -> Optional.empty(), new Effect(StoredResult.NONE, List.of()));

            assertThat(renewed).isInstanceOf(StoreAnswer.Ok.class);
            assertThat(outcome).isInstanceOf(InboxOutcome.Committed.class);
        }
    }
}
