package io.idem.consumer.internal.call;

import io.idem.IdempotencyContext;
import io.idem.Publications.Publication;
import io.idem.consumer.PublicationNotConfirmedException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what a piece of work published, where an unconfirmed message can still roll the work back. Blocks. */
final class Confirmed {

    private Confirmed() {}

    /**
     * Waits.
     *
     * @throws PublicationNotConfirmedException for the first message that is not
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
