package io.idem.http;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer as it is kept and replayed. Immutable. */
public final class StoredResponse {

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final boolean bodyOmitted;

    private StoredResponse(int status, List<Header> headers, byte[] body, boolean bodyOmitted) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.bodyOmitted = bodyOmitted;
    }

    /** An answer with its whole body, copied. */
    public static StoredResponse of(int status, List<Header> headers, byte[] body) {
        return new StoredResponse(status, headers, body.clone(), false);
    }

    /** An answer whose body was streamed or too large to be kept. */
    public static StoredResponse withoutBody(int status, List<Header> headers) {
        return new StoredResponse(status, headers, new byte[0], true);
    }

    /** What is left of it where its body cannot be kept. */
    public StoredResponse shortened() {
        return body.length == 0 ? this : withoutBody(status, headers);
    }

    /** Its status. */
    public int status() {
        return status;
    }

    /** Its chosen headers, in their order. */
    public List<Header> headers() {
        return headers;
    }

    /** A copy of its body; empty if it was omitted. */
    public byte[] body() {
        return body.clone();
    }

    /** Whether there was a body that is not kept. */
    public boolean bodyOmitted() {
        return bodyOmitted;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredResponse that
                && status == that.status
                && bodyOmitted == that.bodyOmitted
                && headers.equals(that.headers)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * status + headers.hashCode()) + Arrays.hashCode(body);
    }

    /** Status and size; never the content, which may be confidential. */
    @Override
    public String toString() {
        return status + "[" + body.length + " bytes" + (bodyOmitted ? ", body omitted]" : "]");
    }
}
