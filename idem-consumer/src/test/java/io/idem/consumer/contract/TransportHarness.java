package io.idem.consumer.contract;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.util.List;
import java.util.Map;

/** A broker for one test of {@link OutgoingTransportContract}, with a destination of its own. */
public interface TransportHarness extends AutoCloseable {

    OutgoingTransport transport();

    /** A transport of the same kind whose broker cannot be reached. */
    OutgoingTransport unreachable();

    /** A message to the destination. */
    OutgoingMessage message(String body, Map<String, String> headers);

    /** A message that the broker does not take. */
    OutgoingMessage refused();

    /** The messages that are at the destination now and were not there at the last call. */
    List<ReceivedMessage> arrived();

    @Override
    void close();
}
