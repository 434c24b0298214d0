package io.idem.http;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer in the form in which it is stored and replayed. Immutable. */
public final class StoredResponse {

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final boolean bodyOmitted;
    private final boolean redirects;

    private StoredResponse(int status, List<Header> headers, byte[] body, boolean bodyOmitted, boolean redirects) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.bodyOmitted = bodyOmitted;
        this.redirects = redirects;
    }

    /** Creates an answer with its whole body, which is copied. */
    public static StoredResponse of(int status, List<Header> headers, byte[] body) {
        return new StoredResponse(status, headers, body.clone(), false, false);
    }

    /** Creates an answer whose body was streamed or is too large to be kept. */
    public static StoredResponse withoutBody(int status, List<Header> headers) {
        return new StoredResponse(status, headers, new byte[0], true, false);
    }

    /** Returns this answer without its body, for the case that the body cannot be kept. */
    public StoredResponse shortened() {
        return body.length == 0 ? this : withoutBody(status, headers);
    }

    /** Returns this answer as a redirect of the container, which gives {@code Location} its own form whenever the answer is sent. */
    public StoredResponse redirecting() {
        return new StoredResponse(status, headers, body, bodyOmitted, true);
    }

    /** Returns this answer with other headers. */
    public StoredResponse with(List<Header> others) {
        return new StoredResponse(status, others, body, bodyOmitted, redirects);
    }

    public int status() {
        return status;
    }

    /** Returns the headers that are stored, in their order. */
    public List<Header> headers() {
        return headers;
    }

    /** Returns a copy of the body; empty if it was omitted. */
    public byte[] body() {
        return body.clone();
    }

    /** Returns whether there was a body that is not kept. */
    public boolean bodyOmitted() {
        return bodyOmitted;
    }

    /** Returns whether the container makes the redirect. */
    public boolean redirects() {
        return redirects;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredResponse that
                && status == that.status
                && bodyOmitted == that.bodyOmitted
                && redirects == that.redirects
                && headers.equals(that.headers)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * status + headers.hashCode()) + Arrays.hashCode(body);
    }

    /** Returns status and size; never the content, which may be confidential. */
    @Override
    public String toString() {
        return status + "[" + body.length + " bytes" + (bodyOmitted ? ", body omitted]" : "]");
    }
}
