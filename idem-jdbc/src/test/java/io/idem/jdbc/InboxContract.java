package io.idem.jdbc;

import static io.idem.jdbc.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.CommitUnknownException;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxCleaner;
import io.idem.jdbc.inbox.InboxRebuild;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.RecordRestorer;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The rules that the inbox obeys on every database. */
abstract class InboxContract {

    private static final int WAITERS = 6;
    private static final Effect EFFECT = new Effect(
            StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8)),
            List.of(new OutgoingMessage("kafka", "receipts", new byte[] {1, 2, 3})));

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private InboxDatabase database;
    private JdbcInbox inbox;

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
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        database.close();
    }

    private InboxWork paying(DataSource with, String entry) {
        return () -> {
            new JdbcTemplate(with).update("INSERT INTO ledger VALUES (?)", entry);
            return Optional.of(EFFECT);
        };
    }

    private InboxWork paying(String entry) {
        return paying(database.dataSource(), entry);
    }

    private Future<InboxOutcome> owner(Lease lease, InboxWork work) {
        return threads.submit(() -> inbox.run(lease, work));
    }

    private void awaitWaiting(int sessions) {
        await().until(() -> database.waiting() == sessions);
    }

    @Test
    void workIsCommittedWithItsRowAndFoundAfterwards() throws Exception {
        assertThat(inbox.run(lease("k", 7), paying("a"))).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(inbox.run(lease("k", 8), paying("b"))).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(inbox.run(lease("l", 8), paying("c"))).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(database.ledger()).containsExactly("a", "c");
    }

    @Test
    void workWithoutResultAndMessagesLeavesARowToo() throws Exception {
        Effect nothing = new Effect(StoredResult.NONE, List.of());

        assertThat(inbox.run(lease("k", 7), () -> Optional.of(nothing))).isEqualTo(new InboxOutcome.Committed(nothing));
        assertThat(inbox.run(lease("k", 8), paying("again"))).isEqualTo(new InboxOutcome.Found(nothing));
    }

    @Test
    void aFailureRollsBackWorkAndRow() throws Exception {
        IllegalStateException failure = new IllegalStateException("card refused");

        assertThatThrownBy(() -> inbox.run(lease("k", 7), () -> {
                    paying("a").run();
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(database.ledger()).isEmpty();
        assertThat(inbox.run(lease("k", 8), paying("b"))).isInstanceOf(InboxOutcome.Committed.class);
    }

    @Test
    void aSecondOwnerWaitsForTheFirstAndFindsItsEffect() throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch claimed = new CountDownLatch(1);
        Future<InboxOutcome> first = owner(lease("k", 7), () -> {
            claimed.countDown();
            mayCommit.await();
            return paying("first").run();
        });
        claimed.await();
        Future<InboxOutcome> second = owner(lease("k", 8), paying("second"));
        awaitWaiting(1);
        mayCommit.countDown();

        assertThat(first.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(second.get()).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(database.ledger()).containsExactly("first");
    }

    @Test
    void ofManyWhoWaitForOneThatRollsBackOneTakesEffect() throws Exception {
        CountDownLatch mayFail = new CountDownLatch(1);
        CountDownLatch claimed = new CountDownLatch(1);
        Future<InboxOutcome> first = owner(lease("k", 7), () -> {
            claimed.countDown();
            mayFail.await();
            return Optional.empty();
        });
        claimed.await();
        List<Future<InboxOutcome>> others = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            others.add(owner(lease("k", 8 + i), paying("waiter")));
        }
        awaitWaiting(WAITERS);
        mayFail.countDown();

        assertThat(first.get()).isEqualTo(new InboxOutcome.RolledBack());
        int committed = 0;
        for (Future<InboxOutcome> other : others) {
            committed += other.get() instanceof InboxOutcome.Committed ? 1 : 0;
        }
        assertThat(committed).isOne();
        assertThat(database.ledger()).containsExactly("waiter");
    }

    @Test
    void anOwnerThatHangsMakesTheNextOneDefer() throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch claimed = new CountDownLatch(1);
        Future<InboxOutcome> hanging = owner(lease("k", 7), () -> {
            claimed.countDown();
            mayCommit.await();
            return paying("first").run();
        });
        claimed.await();

        assertThat(inbox.run(lease("k", 8, Duration.ofMillis(200)), paying("second")))
                .isEqualTo(new InboxOutcome.Open());

        mayCommit.countDown();
        assertThat(hanging.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(database.ledger()).containsExactly("first");
    }

    @Test
    void aLockTimeoutOfTheDatabaseMakesTheNextOneDefer() throws Exception {
        JdbcInbox impatient = inboxOn(database.impatientDataSource());

        assertDeferredBehindAnOpenTransaction(impatient);
    }

    @Test
    void aWaitThatIsCancelledGoesOn() throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch claimed = new CountDownLatch(1);
        Future<InboxOutcome> first = owner(lease("k", 7), () -> {
            claimed.countDown();
            mayCommit.await();
            return paying("first").run();
        });
        claimed.await();
        Future<InboxOutcome> second = owner(lease("k", 8, Duration.ofHours(1)), paying("second"));

        awaitWaiting(1);
        database.cancelWaiting();
        awaitWaiting(1);
        mayCommit.countDown();

        assertThat(first.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(second.get()).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(database.ledger()).containsExactly("first");
    }

    private void assertDeferredBehindAnOpenTransaction(JdbcInbox second) throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch claimed = new CountDownLatch(1);
        Future<InboxOutcome> first = owner(lease("k", 7), () -> {
            claimed.countDown();
            mayCommit.await();
            return paying("first").run();
        });
        claimed.await();

        assertThat(second.run(lease("k", 8), paying("second"))).isEqualTo(new InboxOutcome.Open());

        mayCommit.countDown();
        assertThat(first.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(database.ledger()).containsExactly("first");
    }

    @Test
    void onlyAnotherProcessWaitsAMomentForAnInboxThatDecidesAlone() throws Exception {
        JdbcInbox alone = inbox.decidingAlone();
        JdbcInbox elsewhere = inbox.decidingAlone();
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch claimed = new CountDownLatch(1);
        Future<InboxOutcome> first = threads.submit(() -> alone.run(lease("k", 7), () -> {
            claimed.countDown();
            mayCommit.await();
            return paying("first").run();
        }));
        claimed.await();

        assertThat(alone.run(lease("k", 8), paying("second"))).isEqualTo(new InboxOutcome.Open());
        awaitWaiting(0);
        assertThat(elsewhere.run(lease("k", 9, Duration.ofHours(1)), paying("third")))
                .isEqualTo(new InboxOutcome.Open());
        mayCommit.countDown();

        assertThat(first.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(alone.run(lease("k", 10), paying("fourth"))).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(database.ledger()).containsExactly("first");
    }

    @Test
    void aCommitWhoseAnswerIsCutOffIsReadFromTheRow() throws Exception {
        try (TcpProxy proxy = proxy()) {
            DataSource cut = database.dataSourceAt(proxy.host(), proxy.port());
            List<CompletableFuture<Void>> lost = new ArrayList<>();

            InboxOutcome outcome = inboxOn(cut).run(lease("k", 7), () -> {
                beforeCommit(() -> lost.add(proxy.loseReplyTo("COMMIT")));
                return paying(cut, "a").run();
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

            assertThatThrownBy(() -> inboxOn(cut).run(lease("k", 7), () -> {
                        beforeCommit(proxy::cut);
                        return paying(cut, "a").run();
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

            assertThatThrownBy(() -> inboxOn(cut).run(lease("k", 7), () -> {
                        beforeCommit(proxy::refuse);
                        return paying(cut, "a").run();
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

    @Test
    void fencesBeginAboveTheGreatestRowAndTheClock() throws Exception {
        long clock = inbox.fenceFloor(lease("k", 7).record());
        assertThat(clock).isGreaterThan(1_700_000_000_000_000L);
        long ofAClockThatWasAhead = 1L << 52;

        inbox.run(lease("other", ofAClockThatWasAhead), paying("a"));

        assertThat(inbox.fenceFloor(lease("k", 7).record())).isEqualTo(ofAClockThatWasAhead);
    }

    @Test
    void oldRowsAreDeletedAndYoungOnesStay() throws Exception {
        inbox.run(lease("old", 7), paying("a"));
        database.age(3_700);
        inbox.run(lease("young", 7), paying("b"));

        assertThat(new InboxCleaner(database.dataSource(), Duration.ofHours(1)).clean())
                .isOne();
        assertThat(inbox.run(lease("young", 8), paying("c"))).isInstanceOf(InboxOutcome.Found.class);
    }

    @Test
    void aStoreThatLostEverythingIsFilledFromTheRowsAndOnlyWhatItLacks() throws Exception {
        inbox.run(lease("old", 1), paying("a"));
        database.age(7_200);
        for (int i = 0; i < 3; i++) {
            inbox.run(lease("k-" + i, 7 + i), () -> Optional.of(new Effect(EFFECT.result(), List.of())));
        }
        Shelf shelf = new Shelf();
        InboxRebuild rebuild = new InboxRebuild(database.dataSource(), shelf, Duration.ofHours(1));

        assertThat(rebuild.run()).isEqualTo(new InboxRebuild.Result(3, 3, 0));
        assertThat(rebuild.run()).isEqualTo(new InboxRebuild.Result(3, 0, 0));
        assertThat(shelf.records.get(lease("k-1", 8).record().key().id())).satisfies(restored -> {
            assertThat(restored.fence()).isEqualTo(8);
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
