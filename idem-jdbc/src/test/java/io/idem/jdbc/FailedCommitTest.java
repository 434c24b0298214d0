package io.idem.jdbc;

import static io.idem.jdbc.Leases.lease;
import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.CommitUnknownException;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.StoredResult;
import io.idem.jdbc.FaultyCommits.Fault;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests that the database tells whether a commit happened, whatever exception the commit throws. */
@Tag("servers")
class FailedCommitTest {

    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Effect EFFECT = new Effect(StoredResult.NONE, List.of());

    private final TestDatabase database = new TestDatabase();
    private final FaultyCommits dataSource = new FaultyCommits(database.dataSource());
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);

    @BeforeEach
    void createTable() {
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
    }

    @AfterEach
    void close() {
        thread.shutdownNow();
        database.close();
    }

    static Stream<Named<Function<DataSource, PlatformTransactionManager>>> managers() {
        return Stream.of(
                Named.of("JdbcTransactionManager", JdbcTransactionManager::new),
                Named.of("DataSourceTransactionManager", DataSourceTransactionManager::new));
    }

    @ParameterizedTest
    @MethodSource("managers")
    void anAnswerThatWasLostIsReadFromTheRow(Function<DataSource, PlatformTransactionManager> manager)
            throws Exception {
        dataSource.breakNextCommit(Fault.AFTER);

        InboxOutcome outcome = inbox(manager).run(request("k", 7), paying());

        assertThat(outcome).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(database.ledger()).containsExactly("a");
    }

    @ParameterizedTest
    @MethodSource("managers")
    void aCommitThatNeverArrivedIsAFailureWithoutEffect(Function<DataSource, PlatformTransactionManager> manager)
            throws Exception {
        dataSource.breakNextCommit(Fault.BEFORE);
        JdbcInbox inbox = inbox(manager);

        assertThatThrownBy(() -> inbox.run(request("k", 7), paying()))
                .isInstanceOfAny(DataAccessResourceFailureException.class, TransactionSystemException.class);

        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
        assertThat(inbox.run(request("k", 8), paying())).isInstanceOf(InboxOutcome.Committed.class);
    }

    @ParameterizedTest
    @MethodSource("managers")
    void whenNobodyCanAskTheDatabaseTheCommitIsUnknown(Function<DataSource, PlatformTransactionManager> manager) {
        dataSource.breakNextCommit(Fault.AND_DATABASE_GONE);

        assertThatThrownBy(() -> inbox(manager).run(request("k", 7), paying()))
                .isInstanceOf(CommitUnknownException.class)
                .hasMessageContaining("payments/")
                .hasStackTraceContaining("An I/O error occurred");
    }

    @Test
    void aCommitThatArrivesLateIsWaitedForOnAnotherConnection() throws Exception {
        dataSource.breakNextCommit(Fault.HANGS);
        Future<InboxOutcome> outcome =
                thread.submit(() -> inbox(JdbcTransactionManager::new).run(request("k", 7), paying()));
        await().atMost(SOON).until(dataSource::hangs);

        dataSource.arrive();

        // A machine that is slower than the inquiry learns it from the next delivery.
        assertThat(outcomeOrUnknown(outcome)).isIn(new InboxOutcome.Committed(EFFECT), "unknown");
        assertThat(inbox(JdbcTransactionManager::new).run(request("k", 8), paying()))
                .isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(database.ledger()).containsExactly("a");
    }

    private static Object outcomeOrUnknown(Future<InboxOutcome> outcome) throws InterruptedException {
        try {
            return outcome.get();
        } catch (ExecutionException failure) {
            assertThat(failure).hasCauseInstanceOf(CommitUnknownException.class);
            return "unknown";
        }
    }

    @Test
    void aCommitWhoseSessionLivesOnIsUnknownUntilThatHasEnded() throws Exception {
        dataSource.breakNextCommit(Fault.HANGS);
        JdbcInbox inbox = inbox(JdbcTransactionManager::new);

        assertThatThrownBy(() -> inbox.run(request("k", 7), paying())).isInstanceOf(CommitUnknownException.class);
        assertThat(inbox.run(request("k", 8), paying())).isEqualTo(new InboxOutcome.Open());

        dataSource.end();
        await().atMost(SOON).until(() -> inbox.run(request("k", 9), paying()) instanceof InboxOutcome.Committed);
        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void aFailureOfAnotherAttemptIsNotTakenForTheEndOfACommitThatHangs() throws Exception {
        dataSource.breakNextCommit(Fault.HANGS);
        InboxStore store = new InboxStore(database.dataSource());
        JdbcInbox inbox = inbox(JdbcTransactionManager::new).asStore(store);
        try {
            assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                        thread.submit(() -> store.fail(request("k", 6), Duration.ofHours(1), true))
                                .get();
                        return paying().run(mine);
                    }))
                    .isInstanceOf(CommitUnknownException.class);
        } finally {
            dataSource.end();
        }
    }

    @Test
    void theRowIsRolledBackWithTheWorkThoughTheStoreHasAnotherDataSource() {
        JdbcInbox inbox = inbox(JdbcTransactionManager::new).asStore(new InboxStore(database.dataSource()));

        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    throw new IllegalStateException("card refused");
                }))
                .hasMessage("card refused");

        assertThat(database.inboxRows()).isZero();
    }

    @ParameterizedTest
    @MethodSource("managers")
    void aConstraintThatFailsAtTheCommitIsAFailure(Function<DataSource, PlatformTransactionManager> manager) {
        database.jdbc().execute("CREATE TABLE account (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)");

        assertThatThrownBy(() -> inbox(manager).run(request("k", 7), mine -> {
                    jdbc.update("INSERT INTO account VALUES ('a'), ('a')");
                    return Optional.of(EFFECT);
                }))
                .hasStackTraceContaining("duplicate key value");

        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void theFailureOfACommitIsPassedOnAsItsManagerTranslatedIt() {
        database.jdbc().execute("CREATE TABLE account (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)");

        assertThatThrownBy(() -> inbox(JdbcTransactionManager::new).run(request("k", 7), mine -> {
                    jdbc.update("INSERT INTO account VALUES ('a'), ('a')");
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void aSwallowedFailureOfAnInnerTransactionIsAFailure() {
        PlatformTransactionManager manager = new JdbcTransactionManager(dataSource);
        JdbcInbox inbox = new JdbcInbox(dataSource, manager);

        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    new TransactionTemplate(manager).executeWithoutResult(inner -> inner.setRollbackOnly());
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);

        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aCallbackThatFailsAfterTheCommitDoesNotUndoIt() throws Exception {
        InboxOutcome outcome = inbox(JdbcTransactionManager::new).run(request("k", 7), mine -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("mail server down");
                }
            });
            return paying().run(mine);
        });

        assertThat(outcome).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void anotherOwnersEffectIsFoundWhenOnesOwnCommitNeverArrived() throws Exception {
        FaultyCommits faulty = dataSource;
        JdbcInbox inbox = inbox(JdbcTransactionManager::new);
        Effect others = new Effect(StoredResult.of("text", new byte[] {1}), List.of());
        // The other owner commits while the first one's connection is already cut but its commit not yet reported.
        InboxOutcome outcome = inbox.run(request("k", 7), mine -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    commitAs(lease("k", 8).record().key().id(), others);
                }
            });
            faulty.breakNextCommit(Fault.BEFORE);
            return paying().run(mine);
        });

        assertThat(outcome).isEqualTo(new InboxOutcome.Found(others));
        assertThat(database.ledger()).isEmpty();
    }

    private void commitAs(String keyId, Effect effect) {
        database.jdbc()
                .update(
                        "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, result_codec, result, at,"
                                + " expires_at) VALUES (?, 'payments', 2, 1, 0, 8, ?, ?, now(), now() + interval '1 day')",
                        keyId,
                        effect.result().codec(),
                        effect.result().content());
    }

    private JdbcInbox inbox(Function<DataSource, PlatformTransactionManager> manager) {
        return new JdbcInbox(dataSource, manager.apply(dataSource));
    }

    private InboxWork paying() {
        return mine -> {
            jdbc.update("INSERT INTO ledger VALUES ('a')");
            return Optional.of(EFFECT);
        };
    }
}
