package io.idem.jdbc;

import static io.idem.jdbc.Leases.lease;
import static io.idem.jdbc.Leases.request;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.CommitUnknownException;
import io.idem.Fingerprint;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxRebuild;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.RecordRestorer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The rules that the inbox obeys on every database. */
@Tag("servers")
abstract class InboxContract {

    private static final int WAITERS = 6;
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Effect EFFECT = new Effect(
            StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8)),
            List.of(new OutgoingMessage("kafka", "receipts", new byte[] {1, 2, 3})));

    private static final Effect NOTHING = new Effect(StoredResult.NONE, List.of());

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private InboxDatabase database;
    private JdbcInbox inbox;
    private JdbcTemplate jdbc;
    private TransactionTemplate others;

    abstract InboxDatabase open();

    @BeforeEach
    void createTable() {
        database = open();
        JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
        InboxSchema schema = new InboxSchema(database.dataSource(), manager);
        schema.create();
        schema.create();
        schema.check();
        inbox = new JdbcInbox(database.dataSource(), manager);
        jdbc = new JdbcTemplate(database.dataSource());
        others = new TransactionTemplate(manager);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        database.close();
    }

    private InboxWork paying(DataSource with, String entry) {
        return mine -> {
            new JdbcTemplate(with).update("INSERT INTO ledger VALUES (?)", entry);
            return Optional.of(EFFECT);
        };
    }

    private InboxWork paying(String entry) {
        return paying(database.dataSource(), entry);
    }

    private Future<InboxOutcome> owner(Request request, InboxWork work) {
        return threads.submit(() -> inbox.run(request, work));
    }

    private void awaitWaiting(int sessions) {
        await().until(() -> database.waiting() == sessions);
    }

    @Test
    void workIsCommittedWithItsRowAndFoundAfterwards() throws Exception {
        assertThat(inbox.run(request("k", 7), paying("a"))).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(inbox.run(request("k", 8), paying("b"))).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(inbox.run(request("l", 8), paying("c"))).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(database.ledger()).containsExactly("a", "c");
    }

    @Test
    void workWithoutResultAndMessagesLeavesARowToo() throws Exception {
        Effect nothing = new Effect(StoredResult.NONE, List.of());

        assertThat(inbox.run(request("k", 7), mine -> Optional.of(nothing)))
                .isEqualTo(new InboxOutcome.Committed(nothing));
        assertThat(inbox.run(request("k", 8), paying("again"))).isEqualTo(new InboxOutcome.Found(nothing));
    }

    @Test
    void workThatCaughtTheFailureOfAStatementTakesEffectWithItsRowOrNot() throws Exception {
        try {
            InboxOutcome unused = inbox.run(request("k", 7), mine -> {
                jdbc.update("INSERT INTO ledger VALUES ('a')");
                assertThatThrownBy(() -> jdbc.execute("SELECT 1 FROM no_such_table"))
                        .isInstanceOf(DataAccessException.class);
                return Optional.of(new Effect(StoredResult.NONE, List.of()));
            });
        } catch (UnexpectedRollbackException rolledBack) {
            assertThat(database.ledger()).isEmpty();
        }

        InboxOutcome unused = inbox.run(request("k", 8), paying("a"));

        assertThat(database.ledger()).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_ALL, names = "ROLLBACK.*")
    void workThatRollsBackByItselfIsNotTakenForCommitted(End rolledBack) throws Exception {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    jdbc.update("INSERT INTO ledger VALUES ('a')");
                    rolledBack.end(jdbc);
                    return Optional.of(NOTHING);
                }))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessageContaining("is gone before its commit");

        assertThat(database.ledger()).isEmpty();
        assertThat(inbox.run(request("k", 8), paying("a"))).isInstanceOf(InboxOutcome.Committed.class);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_ALL, names = "ROLLBACK.*")
    void whatWorkWritesAfterItsOwnRollBackIsNotCommittedWithoutTheRow(End rolledBack) throws Exception {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    rolledBack.end(jdbc);
                    jdbc.update("INSERT INTO ledger VALUES ('a')");
                    return Optional.of(NOTHING);
                }))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessageContaining("is gone before its commit");

        assertThat(database.ledger()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_ALL, names = "COMMIT.*")
    void workThatCommitsByItselfHasCommittedItsRowToo(End committed) throws Exception {
        InboxWork committing = mine -> {
            jdbc.update("INSERT INTO ledger VALUES ('a')");
            committed.end(jdbc);
            return Optional.of(NOTHING);
        };

        assertThat(inbox.run(request("k", 7), committing)).isEqualTo(new InboxOutcome.Committed(NOTHING));
        assertThat(inbox.run(request("k", 8), committing)).isEqualTo(new InboxOutcome.Found(NOTHING));

        assertThat(database.ledger()).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_ALL, names = "COMMIT.*")
    void whatWorkWritesAfterItsOwnCommitIsCommittedOnce(End committed) throws Exception {
        InboxWork committing = mine -> {
            committed.end(jdbc);
            jdbc.update("INSERT INTO ledger VALUES ('a')");
            return Optional.of(NOTHING);
        };

        assertThat(inbox.run(request("k", 7), committing)).isEqualTo(new InboxOutcome.Committed(NOTHING));
        assertThat(inbox.run(request("k", 8), committing)).isEqualTo(new InboxOutcome.Found(NOTHING));

        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void workWhoseTransactionEndsBeforeCommitIsNotTakenForCommitted() throws Exception {
        for (Effect effect : List.of(NOTHING, EFFECT)) {
            assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                        // A deadlock ends the transaction like this, and the callback may catch its exception.
                        beforeCommit(() -> jdbc.execute("ROLLBACK"));
                        jdbc.update("INSERT INTO ledger VALUES ('a')");
                        return Optional.of(effect);
                    }))
                    .isInstanceOf(UnexpectedRollbackException.class)
                    .hasMessageContaining("is gone before its commit");
        }

        assertThat(database.ledger()).isEmpty();
        assertThat(inbox.run(request("k", 8), paying("a"))).isInstanceOf(InboxOutcome.Committed.class);
    }

    @Test
    void whatACallbackBeforeTheCommitWritesIsCommittedWithTheRow() throws Exception {
        InboxOutcome outcome = inbox.run(request("k", 7), mine -> {
            beforeCommit(() -> jdbc.update("INSERT INTO ledger VALUES ('callback')"));
            return Optional.of(EFFECT);
        });

        assertThat(outcome).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(database.ledger()).containsExactly("callback");
    }

    /** The ways in which work may end the transaction of its inbox. */
    enum End {
        ROLLBACK_STATEMENT,
        ROLLBACK_METHOD,
        COMMIT_STATEMENT,
        COMMIT_METHOD;

        void end(JdbcTemplate inside) {
            switch (this) {
                case ROLLBACK_STATEMENT -> inside.execute("ROLLBACK");
                case COMMIT_STATEMENT -> inside.execute("COMMIT");
                case ROLLBACK_METHOD -> onConnection(inside, Connection::rollback);
                case COMMIT_METHOD -> onConnection(inside, Connection::commit);
            }
        }

        private static void onConnection(JdbcTemplate inside, Step step) {
            Boolean unused = inside.execute((ConnectionCallback<Boolean>) connection -> {
                step.on(connection);
                return true;
            });
        }

        private interface Step {
            void on(Connection connection) throws SQLException;
        }
    }

    @Test
    void aFailureRollsBackWorkAndRow() throws Exception {
        IllegalStateException failure = new IllegalStateException("card refused");

        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    paying("a").run(mine);
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(database.ledger()).isEmpty();
        assertThat(inbox.run(request("k", 8), paying("b"))).isInstanceOf(InboxOutcome.Committed.class);
    }

    @Test
    void aSecondOwnerIsToldAtOnceThatTheFirstIsAtWork() throws Exception {
        try (Owner first = new Owner(inbox)) {
            assertThat(inbox.run(request("k", 8, Duration.ofHours(1)), paying("second")))
                    .isEqualTo(new InboxOutcome.Open());
            assertThat(inboxOn(database.impatientDataSource()).run(request("k", 9), paying("third")))
                    .isEqualTo(new InboxOutcome.Open());
            assertThat(database.waiting()).isZero();

            assertThat(first.commits()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        }
        assertThat(inbox.run(request("k", 10), paying("fourth"))).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(database.ledger()).containsExactly("first");
    }

    @Test
    void aRecordAtWorkHoldsUpNeitherOtherKeysNorOtherScopes() throws Exception {
        try (Owner first = new Owner(inbox)) {
            RecordId elsewhere = new RecordId(first.request.record().key(), new Scope("receipts"));
            Lease lease = lease("k", 8);
            Lease other = new Lease(
                    elsewhere, lease.owner(), lease.fence(), lease.attempt(), lease.duration(), lease.retention());

            assertThat(inbox.run(request(other), paying("other scope"))).isInstanceOf(InboxOutcome.Committed.class);
            assertThat(inbox.run(request("l", 9), paying("other key"))).isInstanceOf(InboxOutcome.Committed.class);
            assertThat(first.commits()).isInstanceOf(InboxOutcome.Committed.class);
        }
    }

    @Test
    void ofManyThatComeDuringARollBackOneTakesEffect() throws Exception {
        List<Future<InboxOutcome>> others = new ArrayList<>();
        try (Owner first = new Owner(inbox)) {
            for (int i = 0; i < WAITERS; i++) {
                Request request = request("k", 8 + i);
                others.add(threads.submit(() -> settled(request)));
            }
            assertThat(first.rollsBack()).isEqualTo(new InboxOutcome.RolledBack());
        }
        int committed = 0;
        for (Future<InboxOutcome> other : others) {
            committed += other.get() instanceof InboxOutcome.Committed ? 1 : 0;
        }
        assertThat(committed).isOne();
        assertThat(database.ledger()).containsExactly("waiter");
    }

    /** Delivers a message until its work is settled. */
    private InboxOutcome settled(Request request) throws Exception {
        InboxOutcome outcome = inbox.run(request, paying("waiter"));
        while (outcome instanceof InboxOutcome.Open) {
            outcome = inbox.run(request, paying("waiter"));
        }
        return outcome;
    }

    @Test
    void aCommittedRowIsFoundWhileAnotherTransactionHasLockedIt() throws Exception {
        inbox.run(request("k", 7), paying("a"));
        others.executeWithoutResult(status -> {
            assertThat(jdbc.update("DELETE FROM idem_record")).isOne();
            Future<InboxOutcome> duplicate = owner(request("k", 8, Duration.ofMillis(200)), paying("again"));
            assertThat(duplicate).succeedsWithin(SOON).isEqualTo(new InboxOutcome.Found(EFFECT));
            status.setRollbackOnly();
        });
        assertThat(database.ledger()).containsExactly("a");
    }

    /** Work that is under way until it is told to end. */
    private final class Owner implements AutoCloseable {

        private final Request request = request("k", 7);
        private final CountDownLatch claimed = new CountDownLatch(1);
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();
        private final Future<InboxOutcome> outcome;

        Owner(JdbcInbox with) throws InterruptedException {
            outcome = threads.submit(() -> with.run(request, mine -> {
                claimed.countDown();
                return end.get() ? paying("first").run(mine) : Optional.empty();
            }));
            claimed.await();
        }

        InboxOutcome commits() throws Exception {
            end.complete(true);
            return outcome.get();
        }

        InboxOutcome rollsBack() throws Exception {
            end.complete(false);
            return outcome.get();
        }

        @Override
        public void close() {
            end.complete(false);
        }
    }

    @Test
    void aCommitWhoseAnswerIsCutOffIsReadFromTheRow() throws Exception {
        try (TcpProxy proxy = proxy()) {
            DataSource cut = database.dataSourceAt(proxy.host(), proxy.port());
            List<CompletableFuture<Void>> lost = new ArrayList<>();

            InboxOutcome outcome = inboxOn(cut).run(request("k", 7), mine -> {
                beforeCommit(() -> lost.add(proxy.loseReplyTo("COMMIT")));
                return paying(cut, "a").run(mine);
            });

            assertThat(lost).allMatch(CompletableFuture::isDone).hasSize(1);
            assertThat(outcome).isEqualTo(new InboxOutcome.Committed(EFFECT));
        }
        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void aCommitThatIsCutOffOnItsWayIsAFailureWithoutEffect() {
        try (TcpProxy proxy = proxy()) {
            DataSource cut = database.dataSourceAt(proxy.host(), proxy.port());

            assertThatThrownBy(() -> inboxOn(cut).run(request("k", 7), mine -> {
                        beforeCompletion(proxy::cut);
                        return paying(cut, "a").run(mine);
                    }))
                    .isInstanceOf(RuntimeException.class)
                    .isNotInstanceOf(CommitUnknownException.class);
        }
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void aCommitThatNobodyCanAskAboutIsUnknown() {
        try (TcpProxy proxy = proxy()) {
            DataSource cut = database.dataSourceAt(proxy.host(), proxy.port());

            assertThatThrownBy(() -> inboxOn(cut).run(request("k", 7), mine -> {
                        beforeCompletion(proxy::refuse);
                        return paying(cut, "a").run(mine);
                    }))
                    .isInstanceOf(CommitUnknownException.class);
        }
    }

    private TcpProxy proxy() {
        return TcpProxy.to(database.server().getHost(), database.server().getPort());
    }

    private static JdbcInbox inboxOn(DataSource dataSource) {
        return new JdbcInbox(dataSource, new JdbcTransactionManager(dataSource));
    }

    private static void beforeCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                action.run();
            }
        });
    }

    /** Runs an action between the last statement and the commit. */
    private static void beforeCompletion(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() {
                action.run();
            }
        });
    }

    @Test
    void theWorkSeesTheFenceOfItsRowWhichGrowsWithEveryAttempt() throws Exception {
        List<Long> fences = new ArrayList<>();
        InboxWork failing = mine -> {
            fences.add(mine.fence());
            return Optional.empty();
        };
        InboxWork paying = mine -> {
            fences.add(mine.fence());
            return Optional.of(EFFECT);
        };

        inbox.run(request("k", 7), failing);
        inbox.run(request("k", 8), failing);
        inbox.run(request("k", 9), paying);

        assertThat(fences).isSorted().doesNotHaveDuplicates().hasSize(3);
        assertThat(fences.get(0)).isGreaterThan(1_700_000_000_000_000L);
        assertThat(fence()).isEqualTo(fences.get(2));
    }

    @Test
    void theFenceIsThatOfTheLeaseWhereItsClockIsAhead() throws Exception {
        long ofAClockThatIsAhead = 1L << 52;

        inbox.run(request("k", ofAClockThatIsAhead), mine -> {
            assertThat(mine.fence()).isEqualTo(ofAClockThatIsAhead);
            return Optional.of(EFFECT);
        });

        assertThat(fence()).isEqualTo(ofAClockThatIsAhead);
    }

    private Long fence() {
        return requireNonNull(database.jdbc().queryForObject("SELECT fence FROM idem_record", Long.class));
    }

    @Test
    void theRowHasThePayloadsFingerprintAlsoWithoutAResult() throws Exception {
        Fingerprint ten = Fingerprint.of("10 EUR".getBytes(StandardCharsets.UTF_8));

        inbox.run(new Request(lease("k", 7), ten), mine -> Optional.of(new Effect(StoredResult.NONE, List.of())));

        assertThat(inbox.find(lease("k", 7).record()).map(Effect::fingerprint)).contains(ten);
    }

    @Test
    void aRowIsWrittenOnceIfThereIsNothingToKeep() throws Exception {
        database.refuseUpdates();

        inbox.run(request("k", 7), mine -> Optional.of(new Effect(StoredResult.NONE, List.of())));

        assertThat(inbox.find(lease("k", 7).record())).isPresent();
        assertThatThrownBy(() -> inbox.run(request("l", 7), paying("a"))).hasStackTraceContaining("refused by a test");
    }

    @Test
    void oldRowsAreDeletedAndYoungOnesStay() throws Exception {
        inbox.run(request("old", 7), paying("a"));
        database.age(3_700);
        inbox.run(request("young", 7), paying("b"));

        assertThat(new RecordCleaner(database.dataSource()).clean())
                .isOne();
        assertThat(inbox.run(request("young", 8), paying("c"))).isInstanceOf(InboxOutcome.Found.class);
    }

    @Test
    void aStoreThatLostEverythingIsFilledFromTheRowsAndOnlyWhatItLacks() throws Exception {
        inbox.run(request("old", 1), paying("a"));
        database.age(7_200);
        for (int i = 0; i < 3; i++) {
            inbox.run(request("k-" + i, 7 + i), mine -> Optional.of(new Effect(EFFECT.result(), List.of())));
        }
        Shelf shelf = new Shelf();
        InboxRebuild rebuild = new InboxRebuild(database.dataSource(), shelf);

        assertThat(rebuild.run()).isEqualTo(new InboxRebuild.Result(3, 3, 0));
        assertThat(rebuild.run()).isEqualTo(new InboxRebuild.Result(3, 0, 0));
        assertThat(shelf.records.get(lease("k-1", 8).record().key().id())).satisfies(restored -> {
            assertThat(restored.fence()).isGreaterThan(8);
            assertThat(restored.result()).isEqualTo(EFFECT.result());
            assertThat(restored.retention()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        });
    }

    /** A store of settled records, in a map. */
    private static final class Shelf implements RecordRestorer {

        private final Map<String, Lost> records = new HashMap<>();

        @Override
        public int restore(List<Lost> lost) {
            int before = records.size();
            lost.forEach(record -> records.putIfAbsent(record.keyId(), record));
            return records.size() - before;
        }

        @Override
        public void close() {}
    }
}
