package io.idem.engine;

import io.idem.FailurePolicy;
import io.idem.Publications;
import io.idem.Publications.Publication;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Barrier that holds COMPLETE back until every message of an attempt is confirmed. Sends refused messages again, with
 * pauses that double from a fifth of a second to two seconds.
 */
final class ConfirmationBarrier {

    private final Publications publications;
    private final PrimitiveIterator.OfLong pauseMillis =
            LongStream.iterate(200, last -> Math.min(2 * last, 2_000)).iterator();
    private List<Publication> open = new ArrayList<>();
    private @Nullable Throwable refusal;

    ConfirmationBarrier(Publications publications) {
        this.publications = publications;
    }

    /** Returns whether there is a message that {@link #await} would wait for. */
    boolean isOpen() {
        return !open.isEmpty() || publications.hasTracked();
    }

    /**
     * Waits for all confirmations. Messages for which an earlier call waited in vain are sent again.
     *
     * @return empty when all messages are confirmed; else the last failure, and a later call continues from here
     */
    Optional<Throwable> await(Duration budget) {
        open = sendAgain(open);
        open.addAll(publications.drain());
        long end = System.nanoTime() + budget.toNanos();
        Throwable failure = awaitOpen(end);
        while (failure != null && System.nanoTime() - end < 0) {
            if (!pause()) {
                return Optional.of(failure);
            }
            open = sendAgain(open);
            failure = awaitOpen(end);
        }
        return Optional.ofNullable(failure);
    }

    /**
     * Waits for all confirmations without blocking; messages are sent again by {@code executor}. Must not be called
     * before the last call has ended.
     */
    CompletionStage<Optional<Throwable>> awaitAsync(Duration budget, Executor executor) {
        open = sendAgain(open);
        open.addAll(publications.drain());
        return open.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : awaitAsync(System.nanoTime() + budget.toNanos(), executor);
    }

    private CompletionStage<Optional<Throwable>> awaitAsync(long end, Executor executor) {
        List<CompletableFuture<Boolean>> confirmations = open.stream()
                .map(publication -> confirmedBefore(end, publication))
                .toList();
        return Stages.all(confirmations).thenComposeAsync(ended -> confirmedOrAgain(ended, end, executor), executor);
    }

    private static CompletableFuture<Boolean> confirmedBefore(long end, Publication publication) {
        CompletableFuture<Boolean> confirmed = Stages.map(publication.confirmation(), answer -> true);
        return confirmed.orTimeout(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private CompletionStage<Optional<Throwable>> confirmedOrAgain(
            List<CompletableFuture<Boolean>> ended, long end, Executor executor) {
        Throwable failure = keepOpen(ended.stream()
                .map(each -> each.handle((confirmed, thrown) -> thrown == null ? null : FailurePolicy.unwrapped(thrown))
                        .join())
                .toList());
        if (failure == null || System.nanoTime() - end >= 0) {
            return CompletableFuture.completedFuture(Optional.ofNullable(failure));
        }
        return CompletableFuture.supplyAsync(
                        () -> sendAgain(open),
                        CompletableFuture.delayedExecutor(pauseMillis.nextLong(), TimeUnit.MILLISECONDS, executor))
                .thenCompose(sent -> {
                    open = sent;
                    return awaitAsync(end, executor);
                });
    }

    private @Nullable Throwable awaitOpen(long end) {
        return keepOpen(open.stream()
                .map(publication -> awaitOne(publication, end - System.nanoTime()))
                .toList());
    }

    /** Keeps the messages open that have a failure; returns the last one, or null. */
    private @Nullable Throwable keepOpen(List<@Nullable Throwable> failures) {
        Throwable failure = null;
        List<Publication> unconfirmed = new ArrayList<>();
        for (int i = 0; i < failures.size(); i++) {
            Throwable thisFailure = failures.get(i);
            if (thisFailure != null) {
                failure = refusalOr(thisFailure);
                unconfirmed.add(open.get(i));
            }
        }
        open = unconfirmed;
        return failure;
    }

    /** Returns the last refusal rather than the time-out of a later try. */
    private Throwable refusalOr(Throwable failure) {
        if (!(failure instanceof TimeoutException)) {
            refusal = failure;
        }
        return refusal == null ? failure : refusal;
    }

    private static @Nullable Throwable awaitOne(Publication publication, long nanos) {
        try {
            publication.confirmation().toCompletableFuture().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException refused) {
            return refused.getCause() == null ? refused : refused.getCause();
        } catch (TimeoutException | RuntimeException notConfirmed) {
            return notConfirmed;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
    }

    private static List<Publication> sendAgain(List<Publication> unconfirmed) {
        return unconfirmed.stream()
                .map(ConfirmationBarrier::sendAgain)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static Publication sendAgain(Publication publication) {
        return new Publication(confirmationOfAnother(publication), publication.again());
    }

    private static CompletionStage<?> confirmationOfAnother(Publication publication) {
        try {
            return publication.again().get();
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }

    private boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(pauseMillis.nextLong());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
