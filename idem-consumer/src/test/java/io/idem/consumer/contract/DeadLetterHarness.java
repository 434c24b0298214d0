package io.idem.consumer.contract;

import io.idem.spi.DeadLetterSource;
import java.util.List;
import java.util.Map;

/** A broker for one test of {@link DeadLetterSourceContract}, with dead letters of its own. */
public interface DeadLetterHarness extends AutoCloseable {

    DeadLetterSource source();

    /** A source of the same kind whose broker cannot be reached. */
    DeadLetterSource unreachable();

    /** The queue or topic of dead letters. */
    String letters();

    /** The queue or topic that the letters come from; nothing else reads it. */
    String origin();

    /** The name of an origin that takes no message. */
    String nowhere();

    /** Whether a moved letter is taken away from the others. */
    boolean takesAway();

    /** Adds a letter, and returns when it is there. */
    void put(String body, Map<String, String> headers);

    /** The messages that have come back to their origin; called once. */
    List<ReceivedMessage> moved();

    /** The bodies of the letters as soon as there are so many of them; called once. */
    List<String> left(int expected);

    @Override
    void close();
}
