package io.idem;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A message kept in an inbox row until its transaction has committed. Immutable. */
public final class OutgoingMessage {

    private final String transport;
    private final String destination;
    private final byte[] content;

    /**
     * Creates a message.
     *
     * @param transport the {@linkplain io.idem.spi.OutgoingTransport#name() name} of the transport that can read
     *     {@code content}
     * @param destination the destination in a form for people to read
     * @param content the whole message in the transport's own encoding, copied
     */
    public OutgoingMessage(String transport, String destination, byte[] content) {
        this.transport = transport;
        this.destination = destination;
        this.content = content.clone();
    }

    /** Returns the name of the transport. */
    public String transport() {
        return transport;
    }

    /** Returns the destination in a form for people to read. */
    public String destination() {
        return destination;
    }

    /** Returns a copy of the encoded message. */
    public byte[] content() {
        return content.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OutgoingMessage that
                && transport.equals(that.transport)
                && destination.equals(that.destination)
                && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * transport.hashCode() + destination.hashCode()) + Arrays.hashCode(content);
    }

    /** Returns transport, destination and size, but never the content. */
    @Override
    public String toString() {
        return transport + ":" + destination + "[" + content.length + " bytes]";
    }
}
