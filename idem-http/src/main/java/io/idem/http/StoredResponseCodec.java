package io.idem.http;

import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes answers for records, under the codec name {@value #NAME}:
 *
 * <pre>
 * flags 1 byte (1: body omitted, 2: redirect of the container)  status 2  number of headers 2  { name, value }*  body, to the end
 * name, value: length 4, UTF-8
 * </pre>
 *
 * Numbers are big-endian. A different layout needs a different name.
 */
public final class StoredResponseCodec {

    /** The codec name of this layout. */
    public static final String NAME = "http.1";

    private static final byte BODY_OMITTED = 1;
    private static final byte REDIRECT = 2;
    private static final int FIXED_SIZE = 5;

    private StoredResponseCodec() {}

    /** Encodes an answer as the result of a record. */
    public static StoredResult encode(StoredResponse response) {
        List<byte[]> strings = new ArrayList<>();
        for (Header header : response.headers()) {
            strings.add(header.name().getBytes(StandardCharsets.UTF_8));
            strings.add(header.value().getBytes(StandardCharsets.UTF_8));
        }
        byte[] body = response.body();
        int size = FIXED_SIZE + body.length;
        for (byte[] string : strings) {
            size += Integer.BYTES + string.length;
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.put(response.bodyOmitted() ? BODY_OMITTED : response.redirects() ? REDIRECT : 0);
        out.putShort((short) response.status());
        out.putShort((short) response.headers().size());
        strings.forEach(string -> out.putInt(string.length).put(string));
        return StoredResult.of(NAME, out.put(body).array());
    }

    /**
     * Decodes the answer in the result of a record.
     *
     * @throws ResultCodecException if the result does not have this layout
     */
    public static StoredResponse decode(StoredResult result) {
        if (!result.codec().equals(NAME)) {
            throw new ResultCodecException(complaint(result));
        }
        try {
            return decode(ByteBuffer.wrap(result.content()));
        } catch (BufferUnderflowException | IllegalArgumentException cut) {
            throw new ResultCodecException(complaint(result), cut);
        }
    }

    private static StoredResponse decode(ByteBuffer in) {
        byte flags = in.get();
        int status = Short.toUnsignedInt(in.getShort());
        int count = Short.toUnsignedInt(in.getShort());
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            headers.add(new Header(string(in), string(in)));
        }
        if (flags == BODY_OMITTED) {
            return StoredResponse.withoutBody(status, headers);
        }
        StoredResponse answer = StoredResponse.of(status, headers, Frame.bytes(in, in.remaining()));
        return flags == REDIRECT ? answer.redirecting() : answer;
    }

    private static String string(ByteBuffer in) {
        return new String(Frame.bytes(in, in.getInt()), StandardCharsets.UTF_8);
    }

    private static String complaint(StoredResult result) {
        return "The stored result " + result + " is not an HTTP answer of format " + NAME
                + "; give the HTTP scope to nothing else, or upgrade idem if a newer version wrote it";
    }
}
