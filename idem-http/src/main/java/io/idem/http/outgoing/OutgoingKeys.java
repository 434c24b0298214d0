package io.idem.http.outgoing;

import io.idem.IdempotencyContext;
import io.idem.http.internal.outgoing.OutgoingHosts;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Gives each call that idempotent work makes over HTTP a key of its own, derived from the work's and its tenant: the same when the work runs again, for
 * the work's n-th call to one method and address (without query), or for the call that it named. Only hosts that are listed are told;
 * GET, HEAD, OPTIONS and TRACE need no key, and a key that is there stays. Thread-safe; does not block.
 */
public final class OutgoingKeys {

    /**
     * Request attribute by which the work names a call, for example {@code refund-1}. Needed where it does not make its calls to one
     * address in the same order each time it runs, or repeats a call by itself.
     */
    public static final String CALL_NAME = "idem.call-name";

    private static final String CALL = OutgoingCall.class.getName();
    private static final Set<HttpMethod> SAFE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private final OutgoingHosts hosts;
    private final String header;

    /**
     * Keys for these hosts.
     *
     * @param header name of the header that carries the key
     */
    public OutgoingKeys(OutgoingHosts hosts, String header) {
        this.hosts = hosts;
        this.header = header;
    }

    /** Whether any host is told keys. */
    public boolean any() {
        return hosts.any();
    }

    /** Name of the header that carries the key. */
    public String header() {
        return header;
    }

    /** Has a request that is being built remember the work that asked for it. */
    void remember(BiConsumer<String, Object> attributes) {
        IdempotencyContext.current().ifPresent(context -> attributes.accept(CALL, new OutgoingCall(context)));
    }

    /** The key that a request is to carry; empty if it carries one, needs none, or no idempotent work asked for it. */
    Optional<String> keyOf(HttpMethod method, URI uri, HttpHeaders headers, Map<String, Object> attributes) {
        if (SAFE.contains(method) || headers.containsHeader(header) || !hosts.include(uri)) {
            return Optional.empty();
        }
        String destination = method + " " + uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
        Object name = attributes.get(CALL_NAME);
        if (attributes.get(CALL) instanceof OutgoingCall call) {
            return Optional.of(call.key(context -> derive(context, destination, name)));
        }
        return IdempotencyContext.current().map(context -> derive(context, destination, name));
    }

    private static String derive(IdempotencyContext context, String destination, @Nullable Object name) {
        return (name == null
                        ? context.publications().nextCallKey(destination)
                        : context.publications().namedCallKey(destination, name.toString()))
                .value();
    }
}
