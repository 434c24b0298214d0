package io.idem.jdbc.outbox;

import static io.idem.jdbc.Leases.lease;
import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.OutgoingMessage;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.InboxDatabase;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.operations.UnsentMessages.Waiting;
import io.idem.spi.OutgoingTransport;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The rules that the outbox obeys on every database. */
@ExtendWith(OutputCaptureExtension.class)
public abstract class OutboxContract {

    private static final Scope SCOPE = new Scope("payments");
    private static final Duration LONG = Duration.ofHours(1);
    private static final StoredResult ANSWER = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));

    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final List<OutboxRelay> relays = new ArrayList<>();
    private InboxDatabase database;
    private JdbcTransactionManager manager;

    public abstract InboxDatabase open();

    @BeforeEach
    void createTable() {
        database = open();
        manager = new JdbcTransactionManager(database.dataSource());
        new InboxSchema(database.dataSource(), manager).create();
    }

    @AfterEach
    void close() {
        relays.forEach(OutboxRelay::stop);
        database.close();
    }

    private OutboxRelay relay() {
        OutboxRelay relay = new OutboxRelay(database.dataSource(), () -> List.of(broker), LONG);
        relay.serve(SCOPE);
        relays.add(relay);
        return relay;
    }

    private Inbox inboxOf(OutboxRelay relay) {
        return new JdbcOutbox(database.dataSource(), manager, relay).inbox(SCOPE);
    }

    /** Returns an inbox whose relay never runs, as if its process had died after the commit. */
    private Inbox inboxOfADeadProcess() {
        return inboxOf(relay());
    }

    private static OutgoingMessage message(String name) {
        return new OutgoingMessage("rabbit", "receipts", name.getBytes(StandardCharsets.UTF_8));
    }

    private InboxOutcome pay(Inbox inbox, String key) throws Exception {
        return inbox.run(request(key, 1), mine -> {
            database.jdbc().update("INSERT INTO ledger VALUES (?)", key);
            return Optional.of(new Effect(ANSWER, List.of(message(key))));
        });
    }

    private void letTimePass() {
        database.jdbc().update("UPDATE idem_record SET relay_at = at WHERE relay_at IS NOT NULL");
    }

    @Test
    void messagesLeaveAtOnceByTheProcessThatCommittedThem() throws Exception {
        OutboxRelay relay = relay();
        relay.start(Duration.ZERO);

        pay(inboxOf(relay), "k");

        await().untilAsserted(() -> assertThat(relay.unsent()).isZero());
        assertThat(broker.received()).containsExactly(message("k"));
    }

    @Test
    void workIsDoneWhenItIsCommittedAndNamesNoMessagesToItsCaller() throws Exception {
        broker.goAway();
        Inbox inbox = inboxOfADeadProcess();

        assertThat(pay(inbox, "k")).isEqualTo(new InboxOutcome.Committed(new Effect(ANSWER, List.of())));
        assertThat(pay(inbox, "k")).isEqualTo(new InboxOutcome.Found(new Effect(ANSWER, List.of())));
        assertThat(database.ledger()).containsExactly("k");
    }

    @Test
    void messagesOfADeadProcessLeaveByAnotherRelayOnceTheyAreDue() throws Exception {
        pay(inboxOfADeadProcess(), "k");
        OutboxRelay survivor = relay();

        assertThat(survivor.relay()).isZero();
        assertThat(broker.received()).isEmpty();

        letTimePass();
        assertThat(survivor.relay()).isEqualTo(1);
        assertThat(broker.received()).containsExactly(message("k"));
        assertThat(survivor.unsent()).isZero();
    }

    @Test
    void whatIsSentIsNotSentAgain() throws Exception {
        pay(inboxOfADeadProcess(), "k");
        letTimePass();
        relay().relay();

        letTimePass();
        assertThat(relay().relay()).isZero();
        assertThat(broker.received()).hasSize(1);
    }

    @Test
    void whatNoBrokerConfirmsStaysAndIsSentWhenItIsBack() throws Exception {
        pay(inboxOfADeadProcess(), "k");
        letTimePass();
        broker.goAway();
        OutboxRelay relay = relay();

        assertThat(relay.relay()).isZero();
        assertThat(relay.unsent()).isEqualTo(1);

        broker.comeBack();
        letTimePass();
        assertThat(relay.relay()).isEqualTo(1);
        assertThat(broker.received()).containsExactly(message("k"));
    }

    @Test
    void aRowWhoseWorkRunsAgainLetsItRunWhenItsMessageIsSent() throws Exception {
        Inbox inbox = inboxOfADeadProcess();
        inbox.run(request("k", 1), mine -> Optional.of(new Effect(StoredResult.AGAIN, List.of(message("k")))));
        InboxOutcome.Again waiting = (InboxOutcome.Again) pay(inbox, "k");
        assertThat(waiting.effect().outgoing()).isEmpty();
        inbox.remove(request("k", 1).record(), waiting.owner());
        assertThat(pay(inbox, "k")).as("its message is not sent").isInstanceOf(InboxOutcome.Again.class);

        letTimePass();
        assertThat(relay().relay()).isEqualTo(1);
        inbox.remove(request("k", 1).record(), waiting.owner());

        assertThat(broker.received()).containsExactly(message("k"));
        assertThat(pay(inbox, "k")).isInstanceOf(InboxOutcome.Committed.class);
    }

    @Test
    void whatABrokerConfirmsTooLateIsNotSentAgainAndAgain() throws Exception {
        CompletableFuture<Object> confirmation = new CompletableFuture<>();
        AtomicInteger sent = new AtomicInteger();
        OutgoingTransport late = new OutgoingTransport() {
            @Override
            public String name() {
                return broker.name();
            }

            @Override
            public CompletionStage<?> publish(OutgoingMessage message) {
                sent.incrementAndGet();
                return confirmation;
            }
        };
        OutboxRelay relay = new OutboxRelay(database.dataSource(), () -> List.of(late), Duration.ofSeconds(1));
        relays.add(relay);
        relay.start(Duration.ZERO);
        pay(inboxOf(relay), "late");
        await().until(() -> sent.get() == 1);
        letTimePass();
        assertThat(relay.relay()).as("no answer within a second").isZero();

        confirmation.complete("confirmed");

        await().untilAsserted(() -> assertThat(relay.unsent()).isZero());
    }

    @Test
    void rowsOfAllScopesAreCountedWithTheAgeOfTheOldest() throws Exception {
        pay(inboxOfADeadProcess(), "one");
        pay(inboxOfADeadProcess(), "two");
        database.age(7_200);
        pay(inboxOfADeadProcess(), "three");
        OutboxRelay other = new OutboxRelay(database.dataSource(), () -> List.of(broker), LONG);
        other.serve(new Scope("orders"));

        assertThat(other.relay()).isZero();

        assertThat(other.report().waiting())
                .satisfiesExactly(
                        none -> assertThat(none).isEqualTo(new Waiting("", "orders", 0, 0, true)),
                        some -> assertThat(some)
                                .isEqualTo(new Waiting("", SCOPE.name(), 3, some.oldestSeconds(), false)));
        assertThat(other.report().waiting().get(1).oldestSeconds()).isBetween(7_190L, 14_000L);
    }

    @Test
    void theAgeOfARowDoesNotChangeWithTheOffsetOfTheZone() throws Exception {
        ZoneRules zone = ZoneId.of("America/New_York").getRules();
        long age = Duration.between(zone.previousTransition(Instant.now()).getInstant(), Instant.now())
                        .toSeconds()
                + 86_400;
        pay(inboxOfADeadProcess(), "one");
        database.age(Math.toIntExact(age));
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
        OutboxRelay other = new OutboxRelay(
                database.dataSourceAt(
                        database.server().getHost(), database.server().getPort()),
                () -> List.of(broker),
                LONG);
        other.serve(new Scope("orders"));
        try {
            assertThat(other.relay()).isZero();
        } finally {
            TimeZone.setDefault(before);
        }

        assertThat(other.report().waiting().get(1).oldestSeconds()).isBetween(age - 10, age + 1_800);
    }

    @Test
    void workThatIsRolledBackSendsNothing() throws Exception {
        OutboxRelay relay = relay();
        Inbox inbox = inboxOf(relay);

        assertThat(inbox.run(request("none", 1), mine -> Optional.empty())).isEqualTo(new InboxOutcome.RolledBack());
        assertThatThrownBy(() -> inbox.run(request("failed", 1), mine -> {
                    throw new IllegalStateException("no money");
                }))
                .hasMessage("no money");

        assertThat(relay.unsent()).isZero();
    }

    @Test
    void workWithoutMessagesIsNothingToTheRelay() throws Exception {
        OutboxRelay relay = relay();

        inboxOf(relay).run(request("k", 1), mine -> Optional.of(new Effect(ANSWER, List.of())));

        assertThat(relay.unsent()).isZero();
    }

    @Test
    void rowsWhoseMessagesWereNotSentAreKeptHoweverOldTheyAre() throws Exception {
        pay(inboxOfADeadProcess(), "unsent");
        pay(inboxOfADeadProcess(), "sent");
        letTimePass();
        database.jdbc()
                .update(
                        "UPDATE idem_record SET relay_at = NULL WHERE key_id = ?",
                        lease("sent", 1).record().key().id());
        database.age(7_200);

        assertThat(new RecordCleaner(database.dataSource()).clean()).isEqualTo(1);
        assertThat(relay().relay()).isEqualTo(1);
        assertThat(broker.received()).containsExactly(message("unsent"));
    }

    @Test
    void messagesOfOtherScopesAreLeftToThoseWhoServeThem() throws Exception {
        pay(inboxOfADeadProcess(), "k");
        letTimePass();
        OutboxRelay other = new OutboxRelay(database.dataSource(), () -> List.of(broker), LONG);
        other.serve(new Scope("orders"));

        assertThat(other.relay()).isZero();
        assertThat(broker.received()).isEmpty();
    }

    @Test
    void aDestinationThatTakesNoMessageOverHoldsUpNoRowBehindIt() throws Exception {
        try (FaultyTransport faulty = new FaultyTransport(broker.name())) {
            OutboxRelay relay = new OutboxRelay(database.dataSource(), () -> List.of(faulty), LONG);
            Inbox inbox = inboxOf(relay);
            inbox.run(
                    request("bad", 1),
                    mine -> Optional.of(new Effect(
                            ANSWER, List.of(new OutgoingMessage("rabbit", FaultyTransport.HANGING, new byte[] {1})))));
            for (int key = 0; key < 20; key++) {
                pay(inbox, "good" + key);
            }
            letTimePass();

            assertThat(relay.relay()).isEqualTo(20);

            assertThat(faulty.received()).hasSize(20);
            assertThat(relay.unsent()).isEqualTo(1);
        }
    }

    /** Each look tries one of the rows, because their destination is left alone for a while then. */
    @Test
    void allRowsToADestinationThatRefusesThemAreListedAndToldOfOnce(CapturedOutput output) throws Exception {
        try (FaultyTransport faulty = new FaultyTransport(broker.name())) {
            Duration patience = Duration.ofSeconds(1);
            OutboxRelay relay = new OutboxRelay(database.dataSource(), () -> List.of(faulty), patience);
            Inbox inbox = inboxOf(relay);
            for (int key = 0; key < 20; key++) {
                OutgoingMessage refused = new OutgoingMessage("rabbit", FaultyTransport.REFUSING, new byte[] {1});
                inbox.run(request("bad" + key, 1), mine -> Optional.of(new Effect(ANSWER, List.of(refused))));
            }

            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                letTimePass();
                assertThat(relay.relay()).isZero();
                assertThat(relay.report().failing()).hasSize(20);
            });

            assertThat(faulty.tries(FaultyTransport.REFUSING)).isLessThan(20 * 3);
            assertThat(output.getOut().split("No broker has confirmed the messages of 20 rows", -1))
                    .as("a line for the first try and one for the third")
                    .hasSizeBetween(2, 3);
        }
    }

    @Test
    void aRowThatDoesNotLeaveKeepsNoOtherBackAndIsListedAndComesBackLessOften() throws Exception {
        Inbox inbox = inboxOfADeadProcess();
        pay(inbox, "unreadable");
        database.jdbc().update("UPDATE idem_record SET outgoing = ?", new byte[] {99});
        OutboxRelay relay = relay();
        for (int tries = 0; tries < 3; tries++) {
            pay(inbox, "fine" + tries);
            letTimePass();
            assertThat(relay.relay()).isEqualTo(1);
        }

        assertThat(broker.received()).containsExactly(message("fine0"), message("fine1"), message("fine2"));
        assertThat(relay.unsent()).isEqualTo(1);
        assertThat(relay.report().failing()).singleElement().satisfies(row -> {
            assertThat(row.keyId())
                    .isEqualTo(lease("unreadable", 1).record().key().id());
            assertThat(row.scope()).isEqualTo(SCOPE.name());
            assertThat(row.tries()).isEqualTo(3);
            assertThat(row.failure()).contains("later version");
        });
        Timestamp due = database.jdbc()
                .queryForObject("SELECT relay_at FROM idem_record WHERE relay_at IS NOT NULL", Timestamp.class);
        assertThat(due).isAfter(Instant.now().plus(LONG.multipliedBy(3)));
    }

    @Test
    void rowsThatAreCommittedWhileOthersAreBeingSentLeaveOnceEach() throws Exception {
        CountDownLatch mayConfirm = new CountDownLatch(1);
        CountDownLatch sending = new CountDownLatch(1);
        OutgoingTransport slow = new OutgoingTransport() {
            @Override
            public String name() {
                return broker.name();
            }

            @Override
            public CompletionStage<?> publish(OutgoingMessage message) {
                sending.countDown();
                awaitUnchecked(mayConfirm);
                return broker.publish(message);
            }
        };
        OutboxRelay relay = new OutboxRelay(database.dataSource(), () -> List.of(slow), LONG);
        relays.add(relay);
        relay.start(Duration.ofMillis(200));
        Inbox inbox = inboxOf(relay);
        pay(inbox, "first");
        sending.await();
        pay(inbox, "second");
        pay(inbox, "third");
        mayConfirm.countDown();

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(relay.unsent()).isZero());
        relay.stop();
        assertThat(broker.received()).containsExactlyInAnyOrder(message("first"), message("second"), message("third"));
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void relaysThatRunAtOnceSendEveryMessageAndShareTheRows() throws Exception {
        Inbox inbox = inboxOfADeadProcess();
        List<OutgoingMessage> all = new ArrayList<>();
        for (int key = 0; key < 250; key++) {
            pay(inbox, "k" + key);
            all.add(message("k" + key));
        }
        letTimePass();
        List<Callable<Long>> instances = IntStream.range(0, 4)
                .<Callable<Long>>mapToObj(instance -> relay()::relay)
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(instances.size());
        try {
            for (Future<Long> instance : threads.invokeAll(instances)) {
                instance.get();
            }
        } finally {
            threads.shutdownNow();
        }

        relay().relay();
        assertThat(new HashSet<>(broker.received())).isEqualTo(new HashSet<>(all));
        assertThat(broker.received())
                .as("no row is taken twice while its sender works on it")
                .hasSize(250);
        assertThat(relay().unsent()).isZero();
    }
}
