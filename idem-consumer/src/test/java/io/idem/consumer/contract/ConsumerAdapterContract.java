package io.idem.consumer.contract;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ContractConfiguration.CollectedEvents;
import io.idem.servers.junit.LinesNameTheirRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The promises of a transport's adapter, proven on a broker. Subclasses start the application. Tests without settings of their own share
 * one, because its start takes most of their time; a test leaves it to the next one only if it has shown that nothing is left in it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LinesNameTheirRecord.class)
public abstract class ConsumerAdapterContract {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private @Nullable ConsumerApplication application;
    private @Nullable ConsumerApplication idle;
    private boolean shareable;

    /**
     * Starts an application with {@link ContractConfiguration}, in which deliveries wait in place for 200 ms.
     *
     * @param settings {@code name=value}; they win over the adapter's own
     */
    protected abstract ConsumerApplication start(String... settings);

    /** How often a message that waits for another owner may be delivered within a second, beyond the first time. */
    protected abstract int deliveriesPerSecond();

    /** Whether the container hands a message that failed over again, up to two times. */
    protected boolean retriesFailures() {
        return true;
    }

    private void assumeRetries() {
        assumeTrue(retriesFailures(), "the container does not retry");
    }

    @AfterEach
    void close() {
        if (application != null && application != idle) {
            application.close();
        }
        application = null;
    }

    @AfterAll
    void closeIdle() {
        if (idle != null) {
            idle.close();
        }
    }

    protected final ConsumerApplication application() {
        return Objects.requireNonNull(application, "not started");
    }

    protected final void launch(String... settings) {
        shareable = settings.length == 0;
        application = shareable && idle != null ? startAgain(idle) : start(settings);
        if (shareable) {
            idle = null;
        }
    }

    private static ConsumerApplication startAgain(ConsumerApplication stopped) {
        stopped.bean(EventLog.class).reset();
        stopped.bean(CollectedEvents.class).reset();
        stopped.bean(ListenerScript.class).reset();
        stopped.bean(ObservedStore.class).reset();
        stopped.startAgain();
        return stopped;
    }

    protected final ListenerScript script() {
        return application().bean(ListenerScript.class);
    }

    protected final ObservedStore store() {
        return application().bean(ObservedStore.class);
    }

    protected final EventLog log() {
        return application().bean(EventLog.class);
    }

    protected final <E extends ConsumerEvent> List<E> events(Class<E> kind) {
        return application().bean(CollectedEvents.class).of(kind);
    }

    protected final void send(String key, String body) {
        application().send(body, Map.of(IdempotencyHeaders.KEY, key));
    }

    protected static RecordId record(String key, String scope) {
        return new RecordId(IdempotencyKey.of(key), new Scope(scope));
    }

    protected final RecordState state(String key) {
        return store().inspect(record(key, PAYMENTS)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    protected final void awaitCalls(String scope, String... bodies) {
        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(script().bodies(scope)).containsExactly(bodies));
    }

    protected final void awaitState(String key, RecordState state) {
        await().atMost(TIME_LIMIT).untilAsserted(() -> assertThat(state(key)).isEqualTo(state));
    }

    /** Another owner acquires, under a lease that only a move of the clock ends. */
    protected final Lease takeAsOtherOwner(String key) {
        return OtherOwner.take(store(), record(key, PAYMENTS));
    }

    private void letLeasesLapse() {
        application().bean(MovableClock.class).moveAhead(Duration.ofMinutes(6));
    }

    private void assertNothingLeft() {
        await().atMost(TIME_LIMIT).until(application()::settled);
        assertThat(application().stopAndCountUnsettled()).isZero();
        if (shareable) {
            idle = application();
        }
    }

    @Test
    void aMessageRunsOnceAndIsCompletedBeforeItIsAcknowledged() {
        launch();

        send("k1", "one");

        awaitCalls(PAYMENTS, "one");
        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(log().withoutDeliveries())
                        .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE));
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertNothingLeft();
    }

    @Test
    void aDuplicateIsAcknowledgedWithoutRunning() {
        launch();
        send("k1", "first");
        awaitState("k1", RecordState.COMPLETED);

        send("k1", "again");
        send("k2", "other");

        awaitCalls(PAYMENTS, "first", "other");
        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 3);
        assertThat(events(ConsumerEvent.Duplicate.class)).hasSize(1);
        assertThat(application().deadLetters()).isEmpty();
        assertNothingLeft();
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isEqualTo(3);
    }

    @Test
    void theListenerLearnsItsKeyFenceAndAttempt() {
        launch();

        application()
                .send(
                        "one",
                        Map.of(
                                IdempotencyHeaders.KEY, "k1",
                                IdempotencyHeaders.TENANT, "acme",
                                IdempotencyHeaders.ROOT, "client-key"));

        awaitCalls(PAYMENTS, "one");
        ListenerScript.Call call = script().calls().get(0);
        assertThat(call.context().key()).isEqualTo(new IdempotencyKey("acme", "k1"));
        assertThat(call.context().root()).isEqualTo("client-key");
        assertThat(call.context().attempt()).isEqualTo(1);
        assertThat(call.context().fence()).isPositive();
    }

    @Test
    void aMessageInProgressAtAnotherOwnerWaitsWithoutRunningFailingOrSpinning() {
        launch();
        takeAsOtherOwner("k1");

        send("k1", "one");
        await().atMost(TIME_LIMIT)
                .until(() -> !events(ConsumerEvent.Deferred.class).isEmpty());
        long before = log().count(EventLog.DELIVERY);
        await().during(ONE_SECOND).until(() -> script().calls().isEmpty());

        assertThat(log().count(EventLog.DELIVERY) - before).isLessThanOrEqualTo(deliveriesPerSecond());
        assertThat(log().count(EventLog.REJECT)).isZero();
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        assertThat(application().deadLetters()).isEmpty();

        letLeasesLapse();
        awaitCalls(PAYMENTS, "one");
        awaitState("k1", RecordState.COMPLETED);
        assertThat(script().calls().get(0).context().takeover()).isTrue();
        assertNothingLeft();
    }

    @Test
    void aDeferredMessageIsADuplicateOnceTheOtherOwnerHasCompleted() {
        launch();
        Lease otherOwner = takeAsOtherOwner("k1");
        send("k1", "one");
        await().atMost(TIME_LIMIT)
                .until(() -> !events(ConsumerEvent.Deferred.class).isEmpty());

        store().complete(otherOwner, StoredResult.NONE);

        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).isEmpty();
        assertNothingLeft();
    }

    @Test
    void aDeferralDoesNotUseUpTheAttemptsThatTheContainerGrantsToFailures() {
        assumeRetries();
        launch();
        takeAsOtherOwner("k1");
        send("k1", "one");
        await().atMost(TIME_LIMIT)
                .until(() -> events(ConsumerEvent.Deferred.class).size() >= 3);
        script().then(ListenerScript.fail(), ListenerScript.fail());

        letLeasesLapse();

        awaitCalls(PAYMENTS, "one", "one", "one");
        awaitState("k1", RecordState.COMPLETED);
        assertThat(application().deadLetters()).isEmpty();
        assertNothingLeft();
    }

    @Test
    void aFailureGivesTheKeyBackAndTheContainerRetries() {
        assumeRetries();
        launch();
        script().then(ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        awaitCalls(PAYMENTS, "one", "one", "one");
        awaitState("k1", RecordState.COMPLETED);
        assertThat(log().count(EventLog.ROLLBACK)).isEqualTo(2);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
        assertThat(script().calls().get(2).context().attempt()).isEqualTo(3);
        assertNothingLeft();
    }

    @Test
    void aMessageThatKeepsFailingIsLeftToTheContainersOwnPolicy() {
        assumeRetries();
        launch();
        script().then(ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application().deadLetters()).containsExactly("one"));
        assertThat(script().calls()).hasSize(3);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        assertNothingLeft();
    }

    @Test
    void twoScopesActOnOneMessageEachOnce() {
        launch();

        send("k1", "both-1");
        send("k1", "both-1");

        awaitCalls(PAYMENTS, "both-1");
        awaitCalls(RECEIPTS, "both-1");
        // Not by acknowledgements: a container may send two of them as one.
        await().atMost(TIME_LIMIT)
                .untilAsserted(
                        () -> assertThat(events(ConsumerEvent.Duplicate.class)).hasSize(2));
        assertThat(script().calls()).hasSize(2);
        assertNothingLeft();
    }

    @Test
    void aMessageWithoutAKeyFailsLikeAnyPoisonMessage() {
        launch();

        application().send("keyless", Map.of());

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application().deadLetters()).containsExactly("keyless"));
        assertThat(script().calls()).isEmpty();
        assertThat(events(ConsumerEvent.KeyMissing.class)).isNotEmpty();
        assertNothingLeft();
    }

    @Test
    void aMessageWithoutAKeyRunsEveryTimeIfThePolicySaysSo() {
        launch("idem.consumer.missing-key=run-unguarded");

        application().send("keyless", Map.of());
        application().send("keyless", Map.of());

        awaitCalls(PAYMENTS, "keyless", "keyless");
        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(events(ConsumerEvent.KeyMissing.class)).hasSize(2);
        assertNothingLeft();
    }

    @Test
    void aMessageWithoutAKeyIsAcknowledgedIfThePolicySaysSo() {
        launch("idem.consumer.missing-key=acknowledge");

        application().send("keyless", Map.of());

        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).isEmpty();
        assertThat(events(ConsumerEvent.KeyMissing.class)).hasSize(1);
        assertNothingLeft();
    }

    @Test
    void whatCannotBeAKeyIsRefusedAndNotLost() {
        launch();
        Map<String, Object> impossible = new LinkedHashMap<>();
        impossible.put("empty", "");
        impossible.put("blanks", "   ");
        impossible.put("control character", "a\u0007b");
        impossible.put("overlong", "k".repeat(1025));
        impossible.put("not UTF-8", new byte[] {(byte) 0xc3, (byte) 0x28});

        impossible.forEach((body, key) -> application().send(body, Map.of(IdempotencyHeaders.KEY, key)));

        // One after the other, each with the container's own back-off.
        await().atMost(TIME_LIMIT.multipliedBy(3))
                .untilAsserted(() -> assertThat(application().deadLetters())
                        .containsExactlyInAnyOrderElementsOf(impossible.keySet()));
        assertThat(script().calls()).isEmpty();
        assertThat(events(ConsumerEvent.KeyInvalid.class)).hasSizeGreaterThanOrEqualTo(impossible.size());
        assertNothingLeft();
    }

    @Test
    void aKeyIsTheSameAsTextAndAsBytesAndUnderItsStandardName() {
        launch();

        application().send("text", Map.of(IdempotencyHeaders.KEY, "schlüssel"));
        awaitState("schlüssel", RecordState.COMPLETED);
        application().send("bytes", Map.of(IdempotencyHeaders.KEY, "schlüssel".getBytes(StandardCharsets.UTF_8)));
        application().send("standard", Map.of(IdempotencyHeaders.STANDARD_KEY, "schlüssel"));

        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 3);
        assertThat(script().bodies(PAYMENTS)).containsExactly("text");
        assertNothingLeft();
    }

    @Test
    void theSameKeyOfTwoTenantsRunsTwice() {
        launch();

        for (String tenant : List.of("acme", "umbrella")) {
            application().send(tenant, Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.TENANT, tenant));
        }

        await().atMost(TIME_LIMIT)
                .untilAsserted(
                        () -> assertThat(script().bodies(PAYMENTS)).containsExactlyInAnyOrder("acme", "umbrella"));
    }

    @Test
    void aTenantHeaderThatIsNotTrustedDoesNotMakeAnotherKey() {
        launch("idem.consumer.trust-tenant=false");

        application().send("acme", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.TENANT, "acme"));
        awaitState("k1", RecordState.COMPLETED);
        application().send("umbrella", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.TENANT, "umbrella"));

        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().bodies(PAYMENTS)).containsExactly("acme");
    }

    @Test
    void aKeyWithAnotherPayloadIsADeadLetter() {
        launch();
        Fingerprint one = Fingerprint.of("one".getBytes(StandardCharsets.UTF_8));
        Fingerprint two = Fingerprint.of("two".getBytes(StandardCharsets.UTF_8));

        application().send("one", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.FINGERPRINT, one.toString()));
        awaitState("k1", RecordState.COMPLETED);
        application().send("two", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.FINGERPRINT, two.toString()));

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application().deadLetters()).containsExactly("two"));
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(events(ConsumerEvent.DeadLettered.class)).hasSize(1);
        assertNothingLeft();
    }

    @Test
    void aRejectedKeyIsADeadLetterEachTime() {
        launch();
        store().reject(takeAsOtherOwner("k1"), "no such account");

        send("k1", "one");
        send("k1", "again");

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application().deadLetters()).containsExactly("one", "again"));
        assertThat(script().calls()).isEmpty();
        assertNothingLeft();
    }

    @Test
    void aFailureThatNoRetryCanCureRejectsTheKeyAndMakesADeadLetter() {
        launch();
        script().then(call -> {
            throw new HopelessException("no such account");
        });

        send("k1", "one");

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application().deadLetters()).containsExactly("one"));
        assertThat(script().calls()).hasSize(1);
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
        assertThat(log().count(EventLog.COMMIT)).isZero();
        assertNothingLeft();
    }

    @Test
    void aKeyWhoseAttemptsAreUsedUpIsADeadLetter() {
        assumeRetries();
        launch("idem.max-attempts=2");
        script().then(ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application().deadLetters()).containsExactly("one"));
        assertThat(script().calls()).hasSize(2);
        assertThat(events(ConsumerEvent.DeadLettered.class))
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).contains("2 attempts"));
        assertNothingLeft();
    }

    /** Though the store answers whoever asks whether it is back. */
    @Test
    void aMessageWaitsWhileTheStoreDoesNotAnswer() {
        launch();
        store().silent(true);
        int before = store().asked();

        send("k1", "one");
        await().atMost(TIME_LIMIT).until(() -> store().asked() >= before + 3);
        assertThat(events(ConsumerEvent.Paused.class)).hasSize(1);
        assertThat(events(ConsumerEvent.Resumed.class)).isEmpty();
        assertThat(script().calls()).isEmpty();
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        store().silent(false);

        awaitCalls(PAYMENTS, "one");
        awaitState("k1", RecordState.COMPLETED);
        assertThat(application().deadLetters()).isEmpty();
        assertNothingLeft();
    }

    @Test
    void anEffectThatCannotBeRecordedYetIsHeldUnacknowledgedAndNotRunAgain() {
        launch();
        store().deafToComplete(true);

        send("k1", "one");
        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.COMMIT) == 1);
        await().during(ONE_SECOND).until(() -> log().count(EventLog.ACKNOWLEDGE) == 0);
        store().deafToComplete(false);

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(log().withoutDeliveries())
                        .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE));
        assertNothingLeft();
    }

    @Test
    void workWhoseLeaseIsLostIsRolledBackAndLeftToTheNextOwner() {
        launch("idem.lease=600ms");
        script().then(call -> {
            Lease otherOwner =
                    OtherOwner.takeOver(store(), application().bean(MovableClock.class), record("k1", PAYMENTS));
            await().atMost(TIME_LIMIT).until(() -> !call.context().stillOwner());
            store().complete(otherOwner, StoredResult.NONE);
            return "too late";
        });

        send("k1", "one");

        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().count(EventLog.ROLLBACK)).isEqualTo(1);
        assertThat(log().count(EventLog.COMMIT)).isZero();
        assertThat(script().calls()).hasSize(1);
        assertThat(application().deadLetters()).isEmpty();
        assertNothingLeft();
    }

    @Test
    void aMessageThatItsWorkPublishesAgainIsALaterAttempt() {
        launch();
        script().then(call -> {
            application().send(call.body(), Map.of(IdempotencyHeaders.KEY, "k1"));
            assertThat(state("k1")).isEqualTo(RecordState.PENDING);
            return "later";
        });

        send("k1", "one");

        awaitCalls(PAYMENTS, "one", "one");
        awaitState("k1", RecordState.COMPLETED);
        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.COMPLETE) == 1);
        assertThat(script().calls().stream().map(call -> call.context().attempt()))
                .containsExactly(1, 2);
        assertThat(application().deadLetters()).isEmpty();
        assertNothingLeft();
    }

    @Test
    void stoppingEndsAWaitAtOnceAndTheMessageStaysWithTheBroker() {
        launch("idem.consumer.in-place-wait=5m");
        takeAsOtherOwner("k1");
        send("k1", "one");
        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.DELIVERY) >= 1);

        assertThat(application().stopAndCountUnsettled()).isEqualTo(1);
        assertThat(script().calls()).isEmpty();
    }

    @Test
    void copiesThatComeAtTheSameTimeRunOnce() throws Exception {
        launch();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        script().then(call -> {
            running.countDown();
            assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return "done";
        });
        for (int i = 0; i < 4; i++) {
            send("k1", "one");
        }
        assertThat(running.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        go.countDown();

        await().atMost(TIME_LIMIT).until(() -> log().count(EventLog.ACKNOWLEDGE) == 4);
        assertThat(script().calls()).hasSize(1);
        assertNothingLeft();
    }

    /** What the listeners declare as final. */
    public static final class HopelessException extends RuntimeException {

        /** With a reason. */
        public HopelessException(String reason) {
            super(reason);
        }
    }
}
