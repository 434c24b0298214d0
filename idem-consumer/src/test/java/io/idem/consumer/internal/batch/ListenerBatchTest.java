package io.idem.consumer.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.KeyInProgressException;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ObservedStore;
import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.delivery.BatchReport;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.Outgoing;
import io.idem.consumer.internal.guard.CountedCalls;
import io.idem.consumer.internal.guard.FakeMessage;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What becomes of every kind of message in a batch. */
@ExtendWith(OutputCaptureExtension.class)
class ListenerBatchTest extends BatchFixture {

    private static final Scope SCOPE = new Scope("batch");
    private static final DeliveryDecision RAN = new DeliveryDecision.Ran();
    private static final DeliveryDecision DUPLICATE = new DeliveryDecision.Duplicate();
    private static final DeliveryDecision FAILED = new DeliveryDecision.Failed(Optional.empty());

    private static final String OTHER_PAYLOAD = "its key was used before with another payload";

    private final ByBody comparing = new ByBody();

    private List<DeliveryDecision> byBody(FakeMessage... messages) throws Exception {
        return consumer(memory, comparing).deliver(messages);
    }

    private static FakeMessage message(String key, Object body) {
        return message(key).withBody(body);
    }

    private RecordState state(String key) {
        return record(key, "batch").state();
    }

    @Test
    void everyNewMessageRunsAndIsRecorded() throws Exception {
        assertThat(consumer().deliver(messages("a", "b", "c"))).containsExactly(RAN, RAN, RAN);

        assertThat(target.ran).containsExactly("a", "b", "c");
        assertThat(List.of(state("a"), state("b"), state("c"))).containsOnly(RecordState.COMPLETED);
    }

    @Test
    void aBatchThatComesAfterTheApplicationHasStoppedIsHandedBack() throws Exception {
        inProgress.start();
        inProgress.stop();

        List<DeliveryDecision> decisions =
                consumer().deliver(message("a").whileStopping(), message("b").whileStopping());

        assertThat(decisions).hasSize(2).hasOnlyElementsOfType(DeliveryDecision.Defer.class);
        assertThat(target.ran).isEmpty();
        assertThat(memory.inspect(new RecordId(IdempotencyKey.of("a"), new Scope("batch"))))
                .isEmpty();

        inProgress.start();
        assertThat(consumer().deliver(message("a"))).containsExactly(RAN);
    }

    @Test
    void duplicatesAreLeftOutWhereverTheyAreInTheBatch() throws Exception {
        consumer().deliver(messages("a", "c", "e"));
        target.ran.clear();

        assertThat(consumer().deliver(messages("a", "b", "c", "d", "e")))
                .containsExactly(DUPLICATE, RAN, DUPLICATE, RAN, DUPLICATE);

        assertThat(target.ran).containsExactly("b", "d");
        assertThat(events).filteredOn(ConsumerEvent.Duplicate.class::isInstance).hasSize(3);
    }

    @Test
    void oneKeyTwiceInABatchRunsOnceAndDoesNotWaitForItself() throws Exception {
        assertThat(consumer().deliver(messages("a", "b", "a", "a"))).containsExactly(RAN, RAN, DUPLICATE, DUPLICATE);
        assertThat(target.ran).containsExactly("a", "b");
    }

    @Test
    void theSecondMessageOfAKeySharesTheFailureOfTheFirst() throws Exception {
        target.work = () -> {
            throw new IllegalStateException("broken");
        };
        assertThat(consumer().deliver(messages("a", "a"))).containsExactly(FAILED, FAILED);
        assertThat(state("a")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aBatchWhoseCallIsInProgressIsDeferredAndItsAttemptsAreNotCounted() throws Exception {
        target.work = () -> {
            throw new KeyInProgressException(
                    new RecordId(IdempotencyKey.of("other"), SCOPE), "busy", Duration.ofSeconds(7));
        };
        for (int delivery = 0; delivery < 5; delivery++) {
            assertThat(consumer().deliver(messages("a", "b")))
                    .allSatisfy(decision -> assertThat(decision)
                            .asInstanceOf(type(DeliveryDecision.Defer.class))
                            .returns(Duration.ofSeconds(7), DeliveryDecision.Defer::retryAfter));
        }
        target.work = () -> null;

        assertThat(consumer().deliver(messages("a", "b"))).containsExactly(RAN, RAN);
    }

    @Test
    void oneKeyWithTwoPayloadsInABatchIsRefusedTheSecondTime() throws Exception {
        FakeMessage one = message("a").with(IdempotencyHeaders.FINGERPRINT, "00000000000000000000000000000001");
        FakeMessage other = message("a").with(IdempotencyHeaders.FINGERPRINT, "00000000000000000000000000000002");

        List<DeliveryDecision> decisions = consumer().deliver(one, other, message("a"));

        assertThat(decisions.get(0)).isEqualTo(RAN);
        assertThat(decisions.get(1))
                .asInstanceOf(type(DeliveryDecision.DeadLetter.class))
                .returns("its key was used before with another payload", DeliveryDecision.DeadLetter::reason);
        assertThat(decisions.get(2)).isEqualTo(DUPLICATE);
    }

    @Test
    void aFingerprintThatARunningMessageOfItsKeyLacksWaitsForItsEnd() throws Exception {
        FakeMessage other = message("a").with(IdempotencyHeaders.FINGERPRINT, "00000000000000000000000000000002");

        List<DeliveryDecision> decisions = consumer().deliver(message("a"), other);

        assertThat(decisions.get(0)).isEqualTo(RAN);
        assertThat(decisions.get(1)).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(consumer().deliver(other)).containsExactly(DUPLICATE);
    }

    @Test
    void aFingerprintThatTheEarlierMessageOfItsKeyLacksIsComparedWithTheRecord() throws Exception {
        FakeMessage one = message("a").with(IdempotencyHeaders.FINGERPRINT, "00000000000000000000000000000001");
        FakeMessage other = message("a").with(IdempotencyHeaders.FINGERPRINT, "00000000000000000000000000000002");
        consumer().deliver(one);

        List<DeliveryDecision> decisions = consumer().deliver(message("a"), other);

        assertThat(decisions.get(0)).isEqualTo(DUPLICATE);
        assertThat(decisions.get(1))
                .asInstanceOf(type(DeliveryDecision.DeadLetter.class))
                .returns(OTHER_PAYLOAD, DeliveryDecision.DeadLetter::reason);
    }

    @Test
    void anotherBodyUnderAKeyOfTheSameBatchIsRefusedWhereBodiesAreCompared() throws Exception {
        List<DeliveryDecision> decisions =
                byBody(message("a", "one"), message("a", "two"), message("b", "two"), message("a", "one"));

        assertThat(decisions.get(0)).isEqualTo(RAN);
        assertThat(decisions.get(1))
                .asInstanceOf(type(DeliveryDecision.DeadLetter.class))
                .returns(OTHER_PAYLOAD, DeliveryDecision.DeadLetter::reason);
        assertThat(decisions.subList(2, 4)).containsExactly(RAN, DUPLICATE);
        assertThat(comparing.ran).containsExactly("a", "b");
    }

    @Test
    void anotherBodyUnderAKeyOfAnEarlierBatchIsRefusedWhereBodiesAreCompared() throws Exception {
        byBody(message("a", "one"));

        List<DeliveryDecision> decisions = byBody(message("a", "two"), message("a", "one"));

        assertThat(decisions.get(0))
                .asInstanceOf(type(DeliveryDecision.DeadLetter.class))
                .returns(OTHER_PAYLOAD, DeliveryDecision.DeadLetter::reason);
        assertThat(decisions.get(1)).isEqualTo(DUPLICATE);
    }

    @Test
    void aBodyThatADeserializerMadeAnObjectOfIsRefusedWithItsWholeBatch() {
        assertThatThrownBy(() -> byBody(message("a", "one"), message("b", List.of())))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("ByBody.plain compares payloads by their body");
        assertThat(comparing.ran).isEmpty();
        assertThat(memory.inspect(new RecordId(IdempotencyKey.of("a"), SCOPE))).isEmpty();
    }

    @Test
    void aMessageInProgressIsDeferredAndTheOthersRun() throws Exception {
        try (ListenerBatch otherOwner = consumer().acquire(message("b"))) {
            List<DeliveryDecision> decisions = consumer().deliver(messages("a", "b", "c"));

            assertThat(decisions.get(1)).isInstanceOf(DeliveryDecision.Defer.class);
            assertThat(target.ran).containsExactly("a", "c");
            assertThat(otherOwner.toRun()).containsExactly(0);
        }
    }

    @Test
    void aWithheldMessageIsGivenBackAtOnce() throws Exception {
        Consumer consumer = consumer();
        try (ListenerBatch batch = consumer.acquire(messages("a", "b", "a"))) {
            batch.withhold(List.of(0), "one before it is busy");
            consumer.run(batch, NOWHERE);

            assertThat(batch.decision(0)).isInstanceOf(DeliveryDecision.Defer.class);
            assertThat(batch.decision(1)).isEqualTo(RAN);
            assertThat(batch.decision(2)).isInstanceOf(DeliveryDecision.Defer.class);
        }
        assertThat(state("a")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aBatchThatIsClosedWithoutRunningGivesItsMessagesBack() throws Exception {
        consumer().acquire(messages("a", "b")).close();

        assertThat(List.of(state("a"), state("b"))).containsOnly(RecordState.FAILED);
    }

    @Test
    void messagesThatNothingWasToldAboutAreDeferredWhileTheStoreIsSilent() throws Exception {
        ObservedStore store = new ObservedStore(clock, new EventLog());
        store.silent(true);

        assertThat(consumer(store).deliver(messages("a", "b")))
                .allSatisfy(decision -> assertThat(decision).isInstanceOf(DeliveryDecision.Defer.class));
        assertThat(target.ran).isEmpty();
    }

    @Test
    void messagesWithoutAKeyOrWithAnUnusableOneAreDeadLettersAndTheOthersRun() throws Exception {
        List<DeliveryDecision> decisions = consumer()
                .deliver(new FakeMessage(), message("a"), new FakeMessage().with(IdempotencyHeaders.KEY, "x", "y"));

        assertThat(decisions.get(0)).isInstanceOf(DeliveryDecision.DeadLetter.class);
        assertThat(decisions.get(1)).isEqualTo(RAN);
        assertThat(decisions.get(2)).isInstanceOf(DeliveryDecision.DeadLetter.class);
        assertThat(events).anyMatch(ConsumerEvent.KeyMissing.class::isInstance);
        assertThat(events).anyMatch(ConsumerEvent.KeyInvalid.class::isInstance);
    }

    @Test
    void withoutAFailedPositionTheWholeBatchFailedAndMayRunAgain() throws Exception {
        target.work = () -> {
            throw new IllegalStateException("broken");
        };
        assertThat(consumer().deliver(messages("a", "b"))).containsExactly(FAILED, FAILED);

        target.work = () -> null;
        assertThat(consumer().deliver(messages("a", "b"))).containsExactly(RAN, RAN);
    }

    @Test
    void theMessagesBeforeTheFailedOneAreDoneAndThoseAfterItComeAgain() throws Exception {
        Consumer consumer = consumer();
        IllegalStateException broken = new IllegalStateException("the second");
        target.work = () -> {
            throw broken;
        };
        try (ListenerBatch batch = consumer.acquire(messages("a", "b", "c"))) {
            assertThat(consumer.run(batch, failure -> 1)).contains(broken);
            assertThat(batch.decision(0)).isEqualTo(RAN);
            assertThat(batch.decision(1)).isEqualTo(FAILED);
            assertThat(batch.decision(2)).isInstanceOf(DeliveryDecision.Defer.class);
        }
        assertThat(List.of(state("a"), state("b"), state("c")))
                .containsExactly(RecordState.COMPLETED, RecordState.FAILED, RecordState.FAILED);
    }

    /** The acknowledgement of a listener that acknowledges its batch by itself. */
    private record Said(int failed, int acknowledged, int from) implements BatchReport {

        @Override
        public int failedAt(Throwable failure) {
            return failed;
        }

        @Override
        public int doneBeforeFailure() {
            return acknowledged;
        }

        @Override
        public int handedBackFrom() {
            return from;
        }
    }

    private List<RecordState> statesAfter(BatchReport report) throws Exception {
        Consumer consumer = consumer();
        try (ListenerBatch batch = consumer.acquire(messages("a", "b"))) {
            var unused = consumer.run(batch, report);
        }
        return List.of(state("a"), state("b"));
    }

    @Test
    void messagesThatTheListenerGivesBackAreNotDoneAndThoseBeforeThemAre() throws Exception {
        assertThat(statesAfter(new Said(-1, 0, 1))).containsExactly(RecordState.COMPLETED, RecordState.FAILED);
    }

    @Test
    void nothingIsDoneOfABatchThatTheListenerGivesBackFromItsFirstMessage() throws Exception {
        assertThat(statesAfter(new Said(-1, 0, 0))).containsExactly(RecordState.FAILED, RecordState.FAILED);
    }

    @Test
    void messagesThatWereAcknowledgedBeforeAFailureAreDone() throws Exception {
        target.work = () -> {
            throw new IllegalStateException("after the first");
        };
        assertThat(statesAfter(new Said(-1, 1, -1))).containsExactly(RecordState.COMPLETED, RecordState.FAILED);
    }

    @Test
    void aFailureOfTheFirstMessageIsNotOneOfThoseBehindIt() throws Exception {
        target.work = () -> {
            throw new UnsupportedOperationException("no such account");
        };
        assertThat(statesAfter(new Said(0, 0, -1))).containsExactly(RecordState.REJECTED, RecordState.FAILED);
    }

    @Test
    void aFinalFailureRejectsTheFailedMessageAlone() throws Exception {
        Consumer consumer = consumer();
        target.work = () -> {
            throw new UnsupportedOperationException("never");
        };
        try (ListenerBatch batch = consumer.acquire(messages("a", "b", "c"))) {
            consumer.run(batch, failure -> 1);
            assertThat(batch.decision(1))
                    .asInstanceOf(type(DeliveryDecision.Failed.class))
                    .satisfies(failed -> assertThat(failed.rejection()).isPresent());
        }
        assertThat(List.of(state("a"), state("b"), state("c")))
                .containsExactly(RecordState.COMPLETED, RecordState.REJECTED, RecordState.FAILED);
    }

    @Test
    void aFinalFailureThatNamesNoMessageRejectsNone() throws Exception {
        target.work = () -> {
            throw new UnsupportedOperationException("never");
        };
        assertThat(consumer().deliver(messages("a", "b"))).containsExactly(FAILED, FAILED);

        assertThat(List.of(state("a"), state("b"))).containsOnly(RecordState.FAILED);
    }

    @Test
    void rejectedAndUsedUpMessagesAreDeadLetters() throws Exception {
        target.work = () -> {
            throw new UnsupportedOperationException("never");
        };
        consumer().deliver(message("rejected"));
        target.work = () -> {
            throw new IllegalStateException("again");
        };
        for (int i = 0; i < 3; i++) {
            consumer().deliver(message("used up"));
        }

        assertThat(consumer().deliver(messages("rejected", "used up")))
                .containsExactly(
                        new DeliveryDecision.DeadLetter(
                                SCOPE, "its record is rejected: java.lang.UnsupportedOperationException: never", 0),
                        new DeliveryDecision.DeadLetter(SCOPE, "all 3 attempts are used up", 3));
    }

    @Test
    void theDeadLetterAfterTheLastAttemptSaysHowThatFailedIfItWasMadeHere() throws Exception {
        Consumer here = consumer();
        for (int attempt = 1; attempt <= 3; attempt++) {
            IllegalStateException failure = new IllegalStateException("failure " + attempt);
            target.work = () -> {
                throw failure;
            };
            here.deliver(messages("a", "b"));
            (attempt == 3 ? consumer() : here).deliver(message("made elsewhere"));
        }

        assertThat(here.deliver(messages("a", "b", "made elsewhere")))
                .containsExactly(
                        usedUp("; the last one failed with java.lang.IllegalStateException: failure 3"),
                        usedUp("; the last one failed with java.lang.IllegalStateException: failure 3"),
                        usedUp(""));
    }

    @Test
    void aRejectionIsForWhatTheMethodThrewAndNotForHowItWasWrapped() throws Exception {
        target.work = () -> {
            throw new UnsupportedOperationException("never");
        };
        Consumer consumer = consumer();
        try (ListenerBatch batch = consumer.acquire(message("a"))) {
            batch.run(
                    () -> {
                        try {
                            consumer.proxy().plain(batch.toRun(), null, null);
                            return null;
                        } catch (UnsupportedOperationException thrown) {
                            throw new IllegalStateException("the listener method threw", thrown);
                        }
                    },
                    NOWHERE);

            assertThat(batch.decision(0))
                    .isEqualTo(new DeliveryDecision.Failed(Optional.of(new DeliveryDecision.DeadLetter(
                            SCOPE, "java.lang.UnsupportedOperationException: never", 1))));
        }
    }

    private static DeliveryDecision usedUp(String how) {
        return new DeliveryDecision.DeadLetter(SCOPE, "all 3 attempts are used up" + how, 3);
    }

    @Test
    void aFailureThatSomebodyTookOverIsNotDone() throws Exception {
        Consumer consumer = consumer();
        target.work = () -> {
            throw new IllegalStateException("broken");
        };
        try (ListenerBatch batch = consumer.acquire(messages("a"))) {
            Optional<Throwable> failure = batch.run(
                    () -> {
                        try {
                            consumer.proxy().plain(batch.toRun(), null, null);
                        } catch (IllegalStateException takenOver) {
                            return null;
                        }
                        return null;
                    },
                    NOWHERE);
            assertThat(failure).isEmpty();
            assertThat(batch.decision(0)).isEqualTo(FAILED);
        }
        assertThat(state("a")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void whatFailsAfterTheMethodReturnedDoesNotUndoItsWork() throws Exception {
        Consumer consumer = consumer();
        IllegalStateException late = new IllegalStateException("after the method");
        try (ListenerBatch batch = consumer.acquire(messages("a"))) {
            assertThat(batch.run(
                            () -> {
                                consumer.proxy().plain(batch.toRun(), null, null);
                                throw late;
                            },
                            NOWHERE))
                    .contains(late);
            assertThat(batch.decision(0)).isEqualTo(RAN);
        }
        assertThat(state("a")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aLostLeaseDefersItsMessageAndTheOthersWithItWhenTheWorkWasRolledBack() throws Exception {
        Map<String, Lease> leases = new ConcurrentHashMap<>();
        Consumer consumer = consumer(new PerRequestStore(memory) {
            @Override
            public Claim acquire(AcquireRequest request) {
                Claim claim = super.acquire(request);
                leases.put(request.record().key().value(), ((Claim.Granted) claim).lease());
                return claim;
            }
        });
        try (ListenerBatch batch = consumer.acquire(messages("a", "b"))) {
            target.work = () -> {
                throw new IllegalStateException(
                        "rolled back", new LeaseLostException(Objects.requireNonNull(leases.get("a"))));
            };
            consumer.run(batch, NOWHERE);
            assertThat(decisions(batch, 2))
                    .allSatisfy(decision -> assertThat(decision).isInstanceOf(DeliveryDecision.Defer.class));
        }
    }

    @Test
    void anEffectThatCannotBeRecordedIsNotAcknowledged() throws Exception {
        ObservedStore store = new ObservedStore(clock, new EventLog());
        store.deafToComplete(true);

        assertThat(consumer(store)
                        .deliver(message("a").whileStopping(), message("b").whileStopping()))
                .allSatisfy(decision -> assertThat(decision).isInstanceOf(DeliveryDecision.Defer.class));
        assertThat(target.ran).containsExactly("a", "b");
    }

    @Test
    void aRecordThatSomebodyTookOverMeanwhileDoesNotHoldItsNeighbours() throws Exception {
        target.work = () -> {
            clock.moveAhead(POLICY.lease());
            return acquireAsOtherOwner(memory, "a", "batch", POLICY.lease());
        };

        assertThat(consumer().deliver(messages("a", "b"))).containsExactly(RAN, RAN);

        assertThat(state("a")).isEqualTo(RecordState.PENDING);
        assertThat(state("b")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void contextsAndKeysStandAtThePositionsOfTheMessages() throws Exception {
        List<@Nullable IdempotencyContext> seen = new ArrayList<>();
        List<Optional<IdempotencyContext>> current = new ArrayList<>();
        target.work = () -> {
            seen.addAll(BoundContexts.current());
            return current.add(IdempotencyContext.current());
        };
        consumer().deliver(messages("a", "b"));

        assertThat(seen)
                .extracting(IdempotencyContext::key)
                .containsExactly(IdempotencyKey.of("a"), IdempotencyKey.of("b"));
        assertThat(seen).isEqualTo(target.contexts);
        assertThat(current).containsExactly(Optional.empty());
        assertThat(BoundContexts.current()).isEmpty();
    }

    @Test
    void whatIsPublishedForOneOfSeveralMessagesIsDerivedFromItsKey() throws Exception {
        List<Optional<IdempotencyContext>> named = new ArrayList<>();
        target.work = () -> {
            IdempotencyContext second = BoundContexts.current().get(1);
            named.add(BoundContexts.toPublish(() -> toReceipts("c")));
            named.add(BoundContexts.toPublish(() -> toReceipts("a")));
            return named.add(Objects.requireNonNull(second).call(() -> BoundContexts.toPublish(() -> toReceipts("c"))));
        };
        consumer().deliver(messages("a", "b"));

        assertThat(named)
                .extracting(context -> context.map(IdempotencyContext::key))
                .containsExactly(
                        Optional.empty(), Optional.of(IdempotencyKey.of("a")), Optional.of(IdempotencyKey.of("b")));
    }

    private static Outgoing toReceipts(String key) {
        return new Outgoing("receipts", messages(key)[0], received -> false, received -> false);
    }

    @Test
    void aLargeBatchIsAskedForInOneCallAndSettledInFew() throws Exception {
        CountedCalls counted = new CountedCalls(memory);
        FakeMessage[] messages = IntStream.range(0, 500)
                .mapToObj(number -> message("key-" + number))
                .toArray(FakeMessage[]::new);

        assertThat(consumer(counted).deliver(messages)).containsOnly(RAN);

        assertThat(counted.acquires()).isEqualTo(1);
        assertThat(counted.settlements()).isEqualTo(500);
        assertThat(counted.settles()).isLessThan(50);
    }

    @Test
    void aSingleMessageOfABatchHasACurrentContext() throws Exception {
        List<Optional<IdempotencyKey>> current = new ArrayList<>();
        target.work = () -> current.add(IdempotencyContext.current().map(IdempotencyContext::key));

        consumer().deliver(messages("a"));

        assertThat(current).containsExactly(Optional.of(IdempotencyKey.of("a")));
    }

    @Test
    void aListenerThatCallsItselfIsNotTakenForTheBatch() throws Exception {
        Consumer consumer = consumer();
        target.work = () -> {
            consumer.proxy().plain(List.of(), null, null);
            return null;
        };
        try (ListenerBatch batch = consumer.acquire(messages("a"))) {
            assertThat(consumer.run(batch, NOWHERE)).isEmpty();
            assertThat(batch.stop().orElseThrow().refusal()).hasMessageContaining("was called outside a delivery");
        }
    }

    @Test
    void aBatchInsideATransactionIsRefused() throws Exception {
        Consumer consumer = consumer();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            assertThatThrownBy(() -> consumer.acquire(message("a")))
                    .isInstanceOf(ListenerConfigurationException.class)
                    .hasMessageContaining("inside a transaction");
        } finally {
            TransactionSynchronizationManager.clear();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"returning", "single", "arguments", "fields", "judging", "backingOff", "interrupting"})
    void whatCannotBeRightForABatchIsRefusedAtStartUp(String method) {
        BatchListeners batches = batches();

        assertThatThrownBy(() -> batches.of(target, method(method)))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("Target." + method)
                .hasMessageContaining("gets batches");
    }

    @Test
    void anExpressionOverTheMessageGivesAKey() {
        try (ListenerBatch batch =
                batches().of(target, method("byHeader")).acquire(List.of(new FakeMessage().with("order", "7")), HOLD)) {
            assertThat(batch.toRun()).containsExactly(0);
        }
        assertThat(record("7/the transport's own", "header").state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aKeyExpressionThatAMethodFailsInRefusesItsOwnMessageAlone() {
        List<FakeMessage> messages = Stream.of("00000001-a", "short", "00000003-a")
                .map(order -> new FakeMessage().with("order", order))
                .toList();
        try (ListenerBatch batch = batches().of(target, method("byPrefix")).acquire(messages, HOLD)) {
            assertThat(batch.toRun()).containsExactly(0, 2);
            assertThat(batch.decision(1)).isInstanceOf(DeliveryDecision.DeadLetter.class);
        }
    }

    @Test
    void whatWasGrantedIsGivenBackIfTheBatchCannotBeTakenIn() throws Exception {
        consumer().deliver(messages("b"));
        alsoTold = event -> {
            throw new NoClassDefFoundError("a class of an event listener");
        };
        Consumer consumer = consumer();

        assertThatThrownBy(() -> consumer.acquire(messages("a", "b", "c"))).isInstanceOf(NoClassDefFoundError.class);

        assertThat(List.of(state("a"), state("c"))).containsOnly(RecordState.FAILED);
    }

    @Test
    void anInterruptedThreadRecordsItsBatchAndStaysInterrupted() throws Exception {
        target.work = () -> {
            Thread.currentThread().interrupt();
            return null;
        };

        List<DeliveryDecision> decisions = consumer().deliver(messages("a", "b"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(decisions).containsExactly(RAN, RAN);
        assertThat(List.of(state("a"), state("b"))).containsOnly(RecordState.COMPLETED);
    }

    @Test
    void aLeaseThatLapsesDuringTheWorkAndThatNobodyTookIsRecordedAllTheSame() throws Exception {
        target.work = () -> {
            clock.moveAhead(POLICY.lease().multipliedBy(2));
            return null;
        };

        assertThat(consumer().deliver(messages("a", "b"))).containsExactly(RAN, RAN);

        assertThat(List.of(state("a"), state("b"))).containsOnly(RecordState.COMPLETED);
    }

    @Test
    void anAnswerToCompleteThatIsLostHoldsItsMessageUntilItIsKnownToBeRecorded() throws Exception {
        LosingAnswers losing = new LosingAnswers();
        losing.completes.add("a");

        assertThat(consumer(losing).deliver(messages("a", "b"))).containsExactly(RAN, RAN);

        assertThat(losing.completes).isEmpty();
        assertThat(List.of(state("a"), state("b"))).containsOnly(RecordState.COMPLETED);
    }

    @Test
    void aGrantWhoseAnswerIsLostIsDeferredAndToldToTheNextAttempt() throws Exception {
        LosingAnswers losing = new LosingAnswers();
        losing.acquires.add("a");
        Consumer consumer = consumer(losing);

        List<DeliveryDecision> first = consumer.deliver(messages("a", "b"));
        assertThat(first.get(0)).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(first.get(1)).isEqualTo(RAN);

        assertThat(consumer.deliver(messages("a"))).containsExactly(RAN);
        assertThat(target.ran).containsExactly("b", "a");
    }

    @Test
    void anUnreadableRecordDefersItsMessageWithAnError(CapturedOutput output) throws Exception {
        PerRequestStore store = new PerRequestStore(memory) {

            @Override
            public Claim acquire(AcquireRequest request) {
                requireReadable(request.record());
                return super.acquire(request);
            }
        };

        assertThat(consumer(store).deliver(messages("a", "b")))
                .containsExactly(new DeliveryDecision.Defer(SCOPE, Duration.ZERO, "its record cannot be read"), RAN);

        assertThat(target.ran).containsExactly("b");
        assertThat(output.getOut().lines()).anyMatch(line -> line.contains("ERROR") && line.contains("a list"));
    }

    @Test
    void anUnreadableRecordDoesNotUndoFinishedWork(CapturedOutput output) throws Exception {
        PerRequestStore store = new PerRequestStore(memory) {

            @Override
            public StoreAnswer complete(Lease lease, StoredResult result) {
                requireReadable(lease.record());
                return super.complete(lease, result);
            }
        };

        assertThat(consumer(store).deliver(messages("a", "b"))).containsExactly(RAN, RAN);

        assertThat(target.ran).containsExactly("a", "b");
        assertThat(output.getOut().lines()).anyMatch(line -> line.contains("ERROR") && line.contains("a list"));
    }

    @Test
    void aSilentStoreIsNotLoggedForEachMessage(CapturedOutput output) throws Exception {
        ObservedStore store = new ObservedStore(clock, new EventLog());
        store.silent(true);

        assertThat(consumer(store).deliver(messages("a", "b")))
                .hasSize(2)
                .hasOnlyElementsOfType(DeliveryDecision.Defer.class);

        assertThat(output.getOut()).contains("pauses until it does").doesNotContain("could not be acquired");
    }

    private static void requireReadable(RecordId record) {
        if (record.key().value().equals("a")) {
            throw new UnreadableRecordException(record, "a list");
        }
    }

    /** Executes what it is asked for, and keeps one answer for each key that it is given to itself. */
    private final class LosingAnswers extends PerRequestStore {

        private final Set<String> acquires = ConcurrentHashMap.newKeySet();
        private final Set<String> completes = ConcurrentHashMap.newKeySet();

        LosingAnswers() {
            super(memory);
        }

        @Override
        public Claim acquire(AcquireRequest request) {
            return answer(acquires, request.record(), super.acquire(request));
        }

        @Override
        public StoreAnswer complete(Lease lease, StoredResult result) {
            return answer(completes, lease.record(), super.complete(lease, result));
        }

        private static <A> A answer(Set<String> lost, RecordId record, A answer) {
            if (lost.remove(record.key().value())) {
                throw new StoreUnavailableException(
                        "The answer is lost", Execution.UNKNOWN, new IllegalStateException("lost"));
            }
            return answer;
        }
    }
}
