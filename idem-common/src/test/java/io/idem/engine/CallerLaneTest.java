package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.RecordStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallerLaneTest {

    private final CompletableFuture<Claim> first = new CompletableFuture<>();
    private final CompletableFuture<Claim> second = new CompletableFuture<>();
    private final CallerLane waiting = new CallerLane(new TwoAnswers());

    @AfterEach
    void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void everyStageIsCompleteWhenItIsReturned() {
        var unused = CompletableFuture.runAsync(() -> {
            second.complete(new Claim.Mismatch());
            first.complete(new Claim.NotYet(Duration.ofSeconds(1)));
        });

        List<CompletionStage<Claim>> answers = waiting.acquire(List.of(request("a"), request("b")));

        assertThat(answers.get(0).toCompletableFuture()).isCompletedWithValue(new Claim.NotYet(Duration.ofSeconds(1)));
        assertThat(answers.get(1).toCompletableFuture()).isCompletedWithValue(new Claim.Mismatch());
    }

    @Test
    void aFailureEndsItsOwnStageOnly() {
        StoreUnavailableException silent =
                new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());
        first.completeExceptionally(silent);
        second.complete(new Claim.Mismatch());

        List<CompletionStage<Claim>> answers = waiting.acquire(List.of(request("a"), request("b")));

        assertThat(answers.get(0)
                        .toCompletableFuture()
                        .handle((value, failure) -> failure)
                        .join())
                .isSameAs(silent);
        assertThat(answers.get(1).toCompletableFuture()).isCompletedWithValue(new Claim.Mismatch());
    }

    @Test
    void anInterruptEndsTheWaitAndItsFlagStays() {
        Thread.currentThread().interrupt();

        List<CompletionStage<Claim>> answers = waiting.acquire(List.of(request("a"), request("b")));

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.toCompletableFuture()
                                .handle((value, failure) -> failure)
                                .join())
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                unknown -> assertThat(unknown.execution()).isEqualTo(Execution.UNKNOWN)));
        assertThat(first).isCompletedExceptionally();
    }

    private static AcquireRequest request(String key) {
        return new AcquireRequest(
                new RecordId(IdempotencyKey.of(key), new Scope("payments")),
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0);
    }

    /** Answers its two requests when the test says so. */
    private final class TwoAnswers implements RecordStore {

        @Override
        public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
            return List.of(first, second);
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            throw new AssertionError("not asked for");
        }

        @Override
        public Optional<Executor> blockingThreads() {
            return Optional.empty();
        }
    }
}
