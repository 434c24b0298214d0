package io.idem.consumer.contract;

import java.util.List;
import java.util.Map;

/**
 * An application with idempotent listeners on a real broker. Its listeners work under the scopes {@value #PAYMENTS} and
 * {@value #RECEIPTS}, call the {@link ListenerScript} inside a transaction, and each gets every message that is sent. The
 * container gives up on a message at its third failure and makes it a dead letter.
 */
public interface ConsumerApplication extends AutoCloseable {

    /** Scope of the first listener. */
    String PAYMENTS = "payments";

    /** Scope of the second listener; acts only on messages whose body starts with {@value #FOR_BOTH}. */
    String RECEIPTS = "receipts";

    /** Start of the bodies that go to both listeners; all others go to {@value #PAYMENTS} only. */
    String FOR_BOTH = "both";

    /** Sends a message. Values of headers are texts, bytes or numbers. */
    void send(String body, Map<String, Object> headers);

    /** One of the application's beans. */
    <T> T bean(Class<T> type);

    /** Bodies of the dead letters that came so far. */
    List<String> deadLetters();

    /**
     * Whether the broker keeps nothing for the listeners, where that can be told without stopping them. What a listener does on another
     * thread is told before it is acknowledged, and a stop in between leaves the message to the next consumer.
     */
    default boolean settled() {
        return true;
    }

    /** Starts the stopped listeners again. No message or dead letter that was sent before comes from now on. */
    void startAgain();

    /** Stops the listeners and answers how many messages the broker still keeps for them. */
    long stopAndCountUnsettled();

    @Override
    void close();
}
