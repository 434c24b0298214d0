package io.idem.consumer.internal.call;

import io.idem.IdempotencyContext;
import io.idem.Publications.Publication;
import io.idem.consumer.PublicationNotConfirmedException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits until the messages that a piece of work published are confirmed, while it can still be rolled back. Blocks. */
final class Confirmed {

    private Confirmed() {}

    /**
     * Waits for the confirms.
     *
     * @throws PublicationNotConfirmedException for the first message that is not confirmed
     */
    static void await(IdempotencyContext context, Duration budget) {
        long end = System.nanoTime() + budget.toNanos();
        for (Publication publication : context.publications().drain()) {
            await(publication, end - System.nanoTime());
        }
    }

    private static void await(Publication publication, long nanos) {
        try {
            publication.confirmation().toCompletableFuture().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException refused) {
            throw new PublicationNotConfirmedException(refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PublicationNotConfirmedException(interrupted);
        }
    }
}
