package io.idem.spi;

import io.idem.OutgoingMessage;
import java.util.concurrent.CompletionStage;

/** Publishes messages that an inbox row kept. Thread-safe. */
public interface OutgoingTransport {

    /** Returns the stable name that is stored with each message: {@code rabbit}, {@code kafka}. */
    String name();

    /**
     * Publishes a message with the headers it was kept with. Does not block longer than its client needs to take the
     * message. Failures complete the stage and are not thrown. A message may be published again.
     *
     * @return completes when the broker has confirmed the message; exceptionally if it was refused, returned or not
     *     confirmed in time, if the broker cannot be reached, or if the message cannot be read
     */
    CompletionStage<?> publish(OutgoingMessage message);
}
