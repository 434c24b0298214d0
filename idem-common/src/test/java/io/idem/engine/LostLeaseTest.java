package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.MonotonicClock;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.WorkResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Work whose lease is lost is told, and only while it runs. */
class LostLeaseTest extends ExecutorFixture {

    /** Beats, and looks at the deadline, every few real milliseconds for a lease on the clock that stands still. */
    private static final ExecutionPolicy BEATING =
            new ExecutionPolicy(LEASE, Duration.ofMillis(5), Duration.ofMinutes(1), Duration.ofHours(24), 0);

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Operation beating = with(BEATING);
    private final Operation interruptible =
            with(BEATING.withAttempts(AttemptPolicy.DEFAULT.withInterruptOnLostLease(true)));

    private Operation with(ExecutionPolicy policy) {
        return Operation.of(operation.record().key(), operation.record().scope(), policy);
    }

    @Test
    void workIsToldOnceThatARenewalWasRefused() throws Exception {
        Outcome<String> outcome = executor.execute(beating, context -> {
            context.onLeaseLost(() -> told.add("stop"));
            context.onLeaseLost(() -> {
                throw new IllegalStateException("hurts nobody");
            });
            scripted.before("renew", this::takenOver);
            await().until(() -> told.size() == 1);
            assertThat(context.stillOwner()).isFalse();
            return done();
        });

        assertThat(outcome).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(told).containsExactly("stop");
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void workIsToldWhenItsDeadlinePassesWhileRenewalsStayUnanswered() throws Exception {
        CountDownLatch storeAnswersAgain = new CountDownLatch(1);
        scripted.before("renew", () -> awaitUninterrupted(storeAnswersAgain));

        executor.execute(beating, context -> {
            context.onLeaseLost(() -> told.add("stop"));
            await().until(() -> scripted.calls().contains("renew"));
            scripted.advance(LEASE);
            await().until(() -> told.size() == 1);
            return new WorkResult.Release<>("stopped", Duration.ZERO);
        });
        storeAnswersAgain.countDown();

        assertThat(told).containsExactly("stop");
    }

    @Test
    void anErrorWhileARenewalIsSentEndsNoRenewals() throws Exception {
        AtomicBoolean thrown = new AtomicBoolean();
        MonotonicClock clock = () -> {
            if (Thread.currentThread().getName().startsWith("idem-heartbeat") && thrown.compareAndSet(false, true)) {
                throw new OutOfMemoryError("for this test");
            }
            return scripted.clock().nanoTime();
        };
        try (IdempotentExecutor other =
                IdempotentExecutor.on(store).clock(clock).build()) {
            Outcome<String> outcome = other.execute(beating, context -> {
                await().until(() -> scripted.calls().contains("renew"));
                return done();
            });

            assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        }
        assertThat(thrown).isTrue();
    }

    @Test
    void aLossThatWasToldIsNotTakenBackByALateRenewal() throws Exception {
        CountDownLatch storeAnswersAgain = new CountDownLatch(1);
        scripted.before("renew", () -> awaitUninterrupted(storeAnswersAgain));

        assertThat(executor.<String>execute(beating, context -> {
                    context.onLeaseLost(() -> told.add("stop"));
                    await().until(() -> scripted.calls().contains("renew"));
                    scripted.advance(LEASE);
                    await().until(() -> told.size() == 1);
                    storeAnswersAgain.countDown();
                    await().until(() ->
                            scripted.calls().stream().filter("renew"::equals).count() > 2);
                    context.requireOwner();
                    return done();
                }))
                .isInstanceOf(Outcome.InProgress.class);
    }

    @Test
    void whoAsksLateIsToldAtOnce() throws Exception {
        run(context -> {
            takenOver();
            context.onLeaseLost(() -> told.add("stop"));
            assertThat(told).containsExactly("stop");
            return new WorkResult.Release<>("stopped", Duration.ZERO);
        });
    }

    @Test
    void workThatHasEndedIsToldNothing() throws Exception {
        executor.execute(beating, context -> {
            context.onLeaseLost(() -> told.add("stop"));
            return done();
        });
        scripted.advance(LEASE);

        await().during(Duration.ofMillis(30)).until(told::isEmpty);
    }

    @Test
    void workIsInterruptedIfItsPolicySaysSoAndDeferred() throws Exception {
        scripted.before("renew", this::takenOver);

        assertThat(executor.<String>execute(interruptible, context -> {
                    new CountDownLatch(1).await();
                    return done();
                }))
                .isEqualTo(new Outcome.InProgress<>(Duration.ZERO));

        assertThat(Thread.interrupted()).isFalse();
        assertThat(scripted.calls()).doesNotContain("complete", "fail", "reject");
        assertThat(eventsOf(IdempotencyEvent.LeaseLost.class)).hasSize(1);
    }

    @Test
    void anInterruptThatTheWorkDidNotHeedDoesNotStayOnTheThread() throws Exception {
        scripted.before("renew", this::takenOver);

        executor.execute(interruptible, context -> {
            await().until(() -> !context.stillOwner());
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            return new WorkResult.Release<>("stopped", Duration.ZERO);
        });

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theContainersOwnInterruptStays() throws Exception {
        Thread.currentThread().interrupt();

        executor.execute(interruptible, context -> {
            takenOver();
            await().pollInSameThread().pollDelay(Duration.ZERO).until(() -> !context.stillOwner());
            return new WorkResult.Release<>("stopped", Duration.ZERO);
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void byDefaultNobodyIsInterrupted() throws Exception {
        scripted.before("renew", this::takenOver);

        executor.execute(beating, context -> {
            await().until(() -> !context.stillOwner());
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return new WorkResult.Release<>("stopped", Duration.ZERO);
        });
    }

    /** The loss and the work's end meet in a barrier: whichever comes first, no interrupt is left behind. */
    @Test
    void anInterruptThatRacesTheEndOfTheWorkNeverReachesTheThreadAfterwards() throws Exception {
        try (LeaseTimer timer = new LeaseTimer()) {
            for (int round = 0; round < 5_000; round++) {
                LocalDeadline deadline = new LocalDeadline(() -> 0, BEATING, 0);
                LeaseWatch watch = new LeaseWatch(operation.record(), deadline, timer, BEATING.lease());
                CyclicBarrier together = new CyclicBarrier(2);
                try (LostLeaseInterrupt interrupt = LostLeaseInterrupt.of(watch::onLost)) {
                    Thread loser = new Thread(() -> {
                        pass(together);
                        watch.lost();
                    });
                    loser.setDaemon(true);
                    loser.start();
                    pass(together);
                    Thread.onSpinWait();
                }
                watch.end();
                assertThat(Thread.interrupted()).as("round %s", round).isFalse();
            }
        }
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aLateSettleIsRefused() throws Exception {
        assertThatThrownBy(() -> run(context -> {
                    takenOver();
                    throw new IllegalStateException("late");
                }))
                .hasMessage("late");

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(record().attempts()).isEqualTo(2);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception interruptedByTheLoser) {
            throw new IllegalStateException(interruptedByTheLoser);
        }
    }
}
