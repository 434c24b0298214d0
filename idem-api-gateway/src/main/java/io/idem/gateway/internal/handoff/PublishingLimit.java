package io.idem.gateway.internal.handoff;

import static io.idem.internal.value.Arguments.require;

import io.idem.gateway.HandOffFailedException;
import java.util.concurrent.Semaphore;

/**
 * The limit of unconfirmed messages to one broker. Each message holds a thread of the server until it is confirmed; a
 * broker that does not answer must not hold all threads. Thread-safe; never waits.
 */
public final class PublishingLimit {

    private final int most;
    private final Semaphore places;

    /**
     * Creates a limit.
     *
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public PublishingLimit(int most) {
        require(most >= 1, most + " is less than 1");
        this.most = most;
        this.places = new Semaphore(most);
    }

    /** Publishes, or throws {@link HandOffFailedException} at once. */
    void publish(BrokerConfirmation confirmation, Runnable publishing) {
        if (!places.tryAcquire()) {
            throw confirmation.failed(
                    "was not sent",
                    new IllegalStateException(most + " messages are on their way to the broker already"));
        }
        try {
            publishing.run();
        } finally {
            places.release();
        }
    }
}
