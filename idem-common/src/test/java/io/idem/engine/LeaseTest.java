package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idem.Admission;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.RunningOperation;
import io.idem.WorkResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases of running work: renewed while it runs, noticed when lost. */
class LeaseTest extends ExecutorFixture {

    /** Beats every few real milliseconds for a lease on the clock that stands still. */
    private static final ExecutionPolicy BEATING =
            new ExecutionPolicy(LEASE, Duration.ofMillis(5), Duration.ofMinutes(1), Duration.ofHours(24), 0);

    private final Operation beating =
            Operation.of(operation.record().key(), operation.record().scope(), BEATING);

    private void awaitAnotherRenewal() {
        long before = renewals();
        await().atMost(Duration.ofMinutes(3)).until(() -> renewals() >= before + 2);
    }

    private long renewals() {
        return scripted.calls().stream().filter("renew"::equals).count();
    }

    @Test
    void whereNoThreadCanRenewTheKeyIsGivenBack() throws Exception {
        InheritableThreadLocal<String> exhausted = new InheritableThreadLocal<>() {
            @Override
            protected String childValue(String parent) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        exhausted.set("the thread of the heartbeat starts with the first grant");
        try {
            assertThatThrownBy(() -> executor.execute(beating, context -> done()))
                    .isInstanceOf(OutOfMemoryError.class);
        } finally {
            exhausted.remove();
        }

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(executor.execute(beating, context -> done())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void slowWorkKeepsItsLease() throws Exception {
        Outcome<String> outcome = executor.execute(beating, context -> {
            for (int i = 0; i < 5; i++) {
                scripted.advance(LEASE.minusMinutes(2));
                awaitAnotherRenewal();
                assertThat(context.stillOwner()).isTrue();
            }
            return done();
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(record().attempts()).isOne();
    }

    /** Results, the call of the store that settles each, what the caller is told, and what is written. */
    static Stream<Arguments> ends() {
        return Stream.of(
                arguments("complete", done(), Outcome.Executed.class, RecordState.COMPLETED),
                arguments(
                        "reject",
                        new WorkResult.Reject<>("refused", "no such account"),
                        Outcome.RejectedNow.class,
                        RecordState.REJECTED),
                arguments(
                        "fail",
                        new WorkResult.Release<>("later", Duration.ZERO),
                        Outcome.Released.class,
                        RecordState.FAILED));
    }

    /** Several leases pass, each of which has been renewed, and nobody else gets the record. */
    private void outlastLeases() {
        for (int i = 0; i < 3; i++) {
            scripted.advance(LEASE.minusMinutes(2));
            awaitAnotherRenewal();
        }
        assertThat(someoneElsesClaim()).isInstanceOf(Claim.InProgress.class);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void workKeepsItsLeaseWhileItSettlesSlowly(
            String call, WorkResult<String> result, Class<?> end, RecordState written) throws Exception {
        scripted.before(call, this::outlastLeases);

        assertThat(executor.execute(beating, context -> result)).isInstanceOf(end);
        assertThat(record().state()).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void asynchronousWorkKeepsItsLeaseWhileItSettlesSlowly(
            String call, WorkResult<String> result, Class<?> end, RecordState written) {
        scripted.before(call, this::outlastLeases);

        assertThat(executor.async(Runnable::run).execute(beating, context -> CompletableFuture.completedStage(result)))
                .succeedsWithin(Duration.ofSeconds(60))
                .isInstanceOf(end);
        assertThat(record().state()).isEqualTo(written);
    }

    @Test
    void workInAnInboxKeepsItsLeaseWhileItSettlesSlowly() throws Exception {
        scripted.before("complete", this::outlastLeases);

        assertThat(executor.execute(beating.withInbox(new MapInbox(new ArrayList<>())), context -> done()))
                .isInstanceOf(Outcome.Executed.class);
        assertThat(record().attempts()).isOne();
    }

    @Test
    void anEffectThatIsRecordedAgainKeepsItsLeaseMeanwhile() throws Exception {
        scripted.fail("complete", ScriptedStore.silence());
        Outcome.Unrecorded<String> open = (Outcome.Unrecorded<String>) executor.execute(beating, context -> done());
        scripted.before("complete", this::outlastLeases);

        assertThat(open.again().get()).isInstanceOf(Outcome.Executed.class);
        assertThat(record().attempts()).isOne();
    }

    @Test
    void renewalsEndWithTheWork() throws Exception {
        executor.execute(beating, context -> {
            awaitAnotherRenewal();
            return done();
        });
        long after = renewals();

        await().during(Duration.ofMillis(50)).until(() -> renewals() <= after + 1);
    }

    @Test
    void aRenewalThatFailsIsTriedAgain() throws Exception {
        scripted.fail("renew", ScriptedStore.silence());
        scripted.fail("renew", new IllegalStateException("strange"));

        executor.execute(beating, context -> {
            scripted.advance(LEASE.minusMinutes(2));
            await().until(() -> renewals() >= 4);
            assertThat(context.stillOwner()).isTrue();
            return done();
        });
    }

    @Test
    void aRenewalThatMetAnErrorIsTriedAgain() throws Exception {
        scripted.before("renew", () -> {
            throw new NoClassDefFoundError("a class of the store's client");
        });

        executor.execute(beating, context -> {
            awaitAnotherRenewal();
            return done();
        });
    }

    @Test
    void anOwnerWithoutConfirmedRenewalStopsTrustingItsLeaseBeforeItEnds() throws Exception {
        run(context -> {
            scripted.advance(LEASE.minus(POLICY.margin()).minusMillis(1));
            assertThat(context.stillOwner()).isTrue();
            scripted.advance(Duration.ofMillis(1));
            assertThat(context.stillOwner()).isFalse();
            return done();
        });
    }

    @Test
    void aLeaseThatWasTakenIsLostForGoodAndNotRenewedAnyMore() throws Exception {
        executor.execute(beating, context -> {
            scripted.before("renew", this::takenOver);
            await().until(() -> !context.stillOwner());
            long renewals = renewals();
            await().during(Duration.ofMillis(50)).until(() -> renewals() == renewals);
            assertThatThrownBy(context::requireOwner).isInstanceOf(LeaseLostException.class);
            return new WorkResult.Release<>("rolled back", Duration.ZERO);
        });
    }

    @Test
    void workThatRefusesToCommitIsDeferredAndSettlesNothing() throws Exception {
        Outcome<String> outcome = run(context -> {
            takenOver();
            context.requireOwner();
            return done();
        });

        assertThat(outcome).isEqualTo(new Outcome.InProgress<>(Duration.ZERO));
        assertThat(scripted.calls()).doesNotContain("complete", "fail", "reject");
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(eventsOf(IdempotencyEvent.LeaseLost.class)).hasSize(1);
    }

    @Test
    void aRefusalThatTheApplicationWrappedIsFound() throws Exception {
        assertThat(run(context -> {
                    takenOver();
                    try {
                        context.requireOwner();
                        return done();
                    } catch (LeaseLostException lost) {
                        throw new IllegalStateException("transaction rolled back", lost);
                    }
                }))
                .isInstanceOf(Outcome.InProgress.class);
        assertThat(scripted.calls()).doesNotContain("fail");
    }

    @Test
    void theLostLeaseOfAnotherAttemptIsAnOrdinaryFailure() {
        LeaseLostException others = new LeaseLostException(takenOverOther());

        assertThatThrownBy(() -> run(context -> {
                    throw others;
                }))
                .isSameAs(others);

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    private Lease takenOverOther() {
        RunningOperation other = ((Admission.Granted<String>) executor.<String>begin(Operation.of(
                        IdempotencyKey.of("other"), operation.record().scope(), POLICY)))
                .operation();
        return ((Attempt) other.context()).lease();
    }

    @Test
    void aFailureAfterTheLeaseWasTakenClearsNothingAndIsToldAsALostLease() {
        assertThatThrownBy(() -> run(context -> {
                    takenOver();
                    throw new IllegalStateException("slow and broken");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(eventsOf(IdempotencyEvent.LeaseLost.class)).hasSize(1);
        assertThat(eventsOf(IdempotencyEvent.RecordLost.class)).isEmpty();
    }
}
