package io.idem.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which response headers are stored. The case of names does not count. Immutable.
 *
 * <p>Some headers are never stored, even if they are allowed: cookies and credentials, because a replay may come over another connection;
 * headers of one connection or one moment (the hop-by-hop headers of RFC 9110 section 7.6.1, {@code Content-Length}, {@code Date}, {@code Age},
 * {@code Via}); and identifiers of one request's trace. {@code Content-Type}, {@code Content-Encoding} and {@code Content-Range} are always
 * stored, because they tell how the stored body is read.
 */
public final class HeaderPolicy {

    private static final Set<String> NEVER = Set.of(
            // cookies and credentials
            "set-cookie",
            "set-cookie2",
            "authorization",
            "www-authenticate",
            "authentication-info",
            "proxy-authenticate",
            "proxy-authentication-info",
            "x-auth-token",
            "x-csrf-token",
            "x-xsrf-token",
            // headers of one connection or one moment
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "content-length",
            "date",
            "age",
            "via",
            // identifiers of one request's trace
            "traceparent",
            "tracestate",
            "traceresponse",
            "b3",
            "server-timing",
            "x-request-id",
            "x-correlation-id",
            "x-amzn-trace-id",
            "x-cloud-trace-context");

    private static final String ZIPKIN_PREFIX = "x-b3-";

    /** Without these the stored body cannot be read. */
    private static final Set<String> OF_BODY = Set.of("content-type", "content-encoding", "content-range");

    private final Set<String> allowed;
    private final Set<String> denied;

    private HeaderPolicy(Set<String> allowed, Set<String> denied) {
        this.allowed = allowed;
        this.denied = denied;
    }

    /**
     * Creates a policy.
     *
     * @param allowed the names to store; empty for every header that is not denied
     * @param denied the names not to store
     */
    public static HeaderPolicy of(Collection<String> allowed, Collection<String> denied) {
        return new HeaderPolicy(lowerCased(allowed), lowerCased(denied));
    }

    /** Returns whether a header of this name is stored. */
    public boolean stores(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean wanted = !denied.contains(lower) && (allowed.isEmpty() || allowed.contains(lower));
        return OF_BODY.contains(lower) || (wanted && !NEVER.contains(lower) && !lower.startsWith(ZIPKIN_PREFIX));
    }

    private static Set<String> lowerCased(Collection<String> names) {
        Set<String> lower = new TreeSet<>();
        names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
        return lower;
    }
}
