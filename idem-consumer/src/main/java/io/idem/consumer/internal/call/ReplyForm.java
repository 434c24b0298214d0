package io.idem.consumer.internal.call;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;

/**
 * Stores replies of one class that are whole messages: the codecs of results cannot make such a message again, and its
 * headers are part of the answer. Thread-safe.
 */
public interface ReplyForm {

    /** Name of the codec under which such replies are stored; see {@link ResultCodec#name}. */
    String name();

    /** Returns whether a listener's value is such a message. */
    boolean isOf(Object value);

    /**
     * Writes a message of this form.
     *
     * @param payloads writes a payload that is not bytes by itself
     * @throws ResultCodecException if it cannot be stored
     */
    void write(Object message, ResultCodec payloads, DataOutputStream out) throws IOException;

    /**
     * Reads a message that was written. Headers of one delivery, such as a correlation, are not in it.
     *
     * @param type that the listener method declares
     * @throws ResultCodecException if it cannot be read
     * @throws IOException if it is cut short
     */
    Object read(DataInputStream in, Type type, ResultCodec payloads) throws IOException;
}
