package io.idem.jdbc;

import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.servers.junit.RequiresMariaDb;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A claim on MariaDB, which waits for no row, that is ended while it waits for a lock on the table. */
@Tag("extended")
@RequiresMariaDb
class MariaDbClaimEndTest {

    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Effect NOTHING = new Effect(StoredResult.NONE, List.of());

    private final InboxDatabase database = new MariaDbInboxContractTest().open();
    private final JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
    private final JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager);
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @BeforeEach
    void createTable() {
        new InboxSchema(database.dataSource(), manager).create();
    }

    @AfterEach
    void close() {
        thread.shutdownNow();
        database.close();
    }

    @Test
    void aClaimThatAnOperatorKillsTellsNothingOfOtherWork() throws Exception {
        Future<InboxOutcome> claim;
        try (Connection operator = database.dataSource().getConnection();
                Statement statement = operator.createStatement()) {
            statement.execute("LOCK TABLES idem_record READ");
            claim = thread.submit(() -> inbox.run(request("k", 7), mine -> Optional.of(NOTHING)));
            await().atMost(SOON).until(() -> waitingClaims().size() == 1);
            database.jdbc().execute("KILL QUERY " + waitingClaims().get(0));
            assertThatThrownBy(claim::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            silent -> assertThat(silent.execution())
                                    .isEqualTo(StoreUnavailableException.Execution.NOT_EXECUTED));
        }

        assertThat(inbox.run(request("k", 8), mine -> Optional.of(NOTHING)))
                .isEqualTo(new InboxOutcome.Committed(NOTHING));
    }

    private List<Long> waitingClaims() {
        return database.jdbc()
                .queryForList(
                        "SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                                + " AND state = 'Waiting for table metadata lock'",
                        Long.class);
    }
}
