package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.WorkResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Messages that the work sent are confirmed before it is completed. */
class ConfirmationTest extends ExecutorFixture {

    /** Confirmations are waited for during one lease, in real time. */
    private final Operation impatient = Operation.of(
            operation.record().key(),
            operation.record().scope(),
            ExecutionPolicy.of(Duration.ofMillis(500), Duration.ofHours(24)));

    private final Deque<Supplier<CompletionStage<?>>> sends = new ArrayDeque<>();
    private int sent;

    private static CompletionStage<?> confirmed() {
        return CompletableFuture.completedFuture(null);
    }

    private static CompletionStage<?> refused() {
        return CompletableFuture.failedFuture(new IllegalStateException("returned: no queue"));
    }

    private CompletionStage<?> send() {
        sent++;
        Supplier<CompletionStage<?>> next = sends.poll();
        return next == null ? confirmed() : next.get();
    }

    private Outcome<String> runSending() throws Exception {
        return executor.execute(impatient, this::sending);
    }

    private WorkResult<String> sending(IdempotencyContext context) {
        context.publications().track(send(), this::send);
        return done();
    }

    @Test
    void aMessageThatWasRefusedIsSentAgain() throws Exception {
        sends.addAll(List.of(ConfirmationTest::refused));

        assertThat(runSending()).isInstanceOf(Outcome.Executed.class);
        assertThat(sent).isEqualTo(2);
    }

    @Test
    void aMessageThatCannotBeSentAgainAtOnceIsSentLater() throws Exception {
        sends.add(ConfirmationTest::refused);
        sends.add(() -> {
            throw new IllegalStateException("channel closed");
        });

        assertThat(runSending()).isInstanceOf(Outcome.Executed.class);
        assertThat(sent).isEqualTo(3);
    }

    @Test
    void onlyWhatIsNotConfirmedIsSentAgain() throws Exception {
        sends.addAll(List.of(ConfirmationTest::refused));
        int[] others = new int[1];

        executor.execute(impatient, context -> {
            context.publications().track(confirmed(), () -> {
                others[0]++;
                return confirmed();
            });
            context.publications().track(send(), this::send);
            return done();
        });

        assertThat(sent).isEqualTo(2);
        assertThat(others[0]).isZero();
    }

    @Test
    void workWhoseMessageStaysUnconfirmedIsNotCompletedUntilItIsSentAgain() throws Exception {
        sends.add(CompletableFuture::new);

        Outcome<String> outcome = runSending();

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unrecorded.class,
                        unrecorded -> assertThat(unrecorded.why())
                                .isInstanceOfSatisfying(
                                        Outcome.Obstacle.Unconfirmed.class,
                                        why -> assertThat(why.cause()).isInstanceOf(TimeoutException.class)));
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(((Outcome.Unrecorded<String>) outcome).again().get()).isInstanceOf(Outcome.Executed.class);
        assertThat(sent).isEqualTo(2);
    }

    @Test
    void theLastRefusalIsWhyAMessageIsNotConfirmed() throws Exception {
        sends.addAll(List.of(ConfirmationTest::refused, CompletableFuture::new));
        assertRefused(runSending());

        sends.addAll(List.of(ConfirmationTest::refused, CompletableFuture::new));
        assertRefused(executor.async(Runnable::run)
                .execute(
                        Operation.of(
                                IdempotencyKey.of("another"), impatient.record().scope(), impatient.policy()),
                        context -> CompletableFuture.completedFuture(sending(context)))
                .toCompletableFuture()
                .join());
    }

    private static void assertRefused(Outcome<String> outcome) {
        assertThat(((Outcome.Unrecorded<String>) outcome).why()).asString().contains("returned: no queue");
    }

    @Test
    void theLeaseIsRenewedWhileAConfirmationIsWaitedFor() throws Exception {
        Confirmation late = new Confirmation();
        sends.add(() -> late);
        Operation beating = Operation.of(
                operation.record().key(),
                operation.record().scope(),
                new ExecutionPolicy(LEASE, Duration.ofMillis(5), Duration.ZERO, Duration.ofHours(24), 0));
        FutureTask<Outcome<String>> execution = new FutureTask<>(() -> executor.execute(beating, this::sending));

        new Thread(execution, "worker").start();
        try {
            await().until(() -> late.waiting);
            long before = renewals();
            await("renewals during the wait").until(() -> renewals() >= before + 2);
        } finally {
            late.complete(null);
        }

        assertThat(execution.get()).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void theLeaseIsRenewedAtOnceWhenAMessageIsSentAgainLater() throws Exception {
        Confirmation never = new Confirmation();
        never.interrupting = true;
        CompletableFuture<Void> late = new CompletableFuture<>();
        sends.add(() -> never);
        sends.add(() -> late);
        Outcome.Unrecorded<String> open = (Outcome.Unrecorded<String>) run(this::sending);
        assertThat(Thread.interrupted()).isTrue();
        FutureTask<Outcome<String>> again = new FutureTask<>(open.again()::get);

        new Thread(again, "worker").start();
        try {
            await("a renewal before the first is due").until(() -> renewals() >= 1);
        } finally {
            late.complete(null);
        }

        assertThat(again.get()).isInstanceOf(Outcome.Executed.class);
    }

    private long renewals() {
        return scripted.calls().stream().filter("renew"::equals).count();
    }

    @Test
    void anInterruptEndsTheWaitingAndLosesNothing() throws Exception {
        Confirmation never = new Confirmation();
        never.interrupting = true;
        sends.add(() -> never);

        Outcome<String> outcome = run(this::sending);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(((Outcome.Unrecorded<String>) outcome).again().get()).isInstanceOf(Outcome.Executed.class);
    }

    /** A confirmation that knows whether it is waited for. */
    private static final class Confirmation extends CompletableFuture<Void> {

        private volatile boolean waiting;
        private boolean interrupting;

        @Override
        public Void get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            waiting = true;
            if (interrupting) {
                Thread.currentThread().interrupt();
            }
            return super.get(timeout, unit);
        }
    }
}
