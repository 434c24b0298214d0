package io.idem.http.outgoing;

import io.idem.IdempotencyContext;
import io.idem.http.internal.outgoing.OutgoingHosts;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Derives a key of its own for each HTTP call that idempotent work makes, from the key and the tenant of the work. The key is the same when
 * the work runs again: for its n-th call to a method and address (without query), or for a call that it named. Only listed hosts get
 * keys. GET, HEAD, OPTIONS and TRACE get none, and a key that a request carries already stays. Thread-safe; does not block.
 */
public final class OutgoingKeys {

    /**
     * Request attribute by which the work names a call, for example {@code refund-1}. Needed if the order of the work's calls to an address
     * may change from run to run, or if the work repeats a call by itself.
     */
    public static final String CALL_NAME = "idem.call-name";

    private static final String CALL = OutgoingCall.class.getName();
    private static final Set<HttpMethod> SAFE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private final OutgoingHosts hosts;
    private final String header;

    /**
     * Creates keys for the calls to these hosts.
     *
     * @param hosts hosts as payments.example.com, with a port, or *.example.com
     * @param header name of the header that carries the key
     * @throws IllegalArgumentException if one is not of this form
     */
    public OutgoingKeys(List<String> hosts, String header) {
        this.hosts = new OutgoingHosts(hosts);
        this.header = header;
    }

    /** Returns whether any host gets keys. */
    public boolean any() {
        return hosts.any();
    }

    /** Returns the name of the header that carries the key. */
    public String header() {
        return header;
    }

    /** Attaches the current work, if there is any, to a request that is being built. */
    void remember(BiConsumer<String, Object> attributes) {
        IdempotencyContext.current().ifPresent(context -> attributes.accept(CALL, new OutgoingCall(context)));
    }

    /** Returns the key that a request must carry; empty if it carries one, needs none, or belongs to no idempotent work. */
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
