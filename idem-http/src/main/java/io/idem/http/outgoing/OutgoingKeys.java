package io.idem.http.outgoing;

import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.http.internal.outgoing.OutgoingHosts;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Derives a key of its own for each HTTP call that idempotent work makes, from the key and the tenant of the work. The key is the same when
 * the work runs again: for its n-th call to a method and address (without query), or for a call that it named. A call that equals a failed
 * one in method, address and body repeats it and has its key. Only listed hosts get keys. GET, HEAD, OPTIONS and TRACE get none, and a key that a request carries already stays. Thread-safe; does not block.
 */
public final class OutgoingKeys {

    /**
     * Request attribute by which the work names a call, for example {@code refund-1}. Needed if the order of the work's calls to an address
     * may change from run to run, if a call with a streamed body is repeated, or if two equal calls are wanted although the first has
     * failed.
     */
    public static final String CALL_NAME = "idem.call-name";

    static final String CALL = OutgoingCall.class.getName();
    private static final Set<HttpMethod> SAFE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private final OutgoingHosts hosts;
    private final String header;
    private final SentCalls calls = new SentCalls();

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

    /** Attaches work, if there is any, to a request. */
    void remember(Optional<IdempotencyContext> work, BiConsumer<String, Object> attributes) {
        work.ifPresent(context -> attributes.accept(CALL, new OutgoingCall(context, calls)));
    }

    /**
     * Returns the call that is sent now, with its key; empty if the request carries a key of its own, needs none, or belongs to no
     * idempotent work.
     *
     * @param place where a call that repeats it is made
     * @param body returns what identifies its body, null if that is a stream
     */
    Optional<OutgoingCall> send(
            HttpMethod method,
            URI uri,
            HttpHeaders headers,
            Map<String, Object> attributes,
            Object place,
            Supplier<@Nullable Fingerprint> body) {
        if (SAFE.contains(method) || !hosts.include(uri)) {
            return Optional.empty();
        }
        String present = headers.getFirst(header);
        if (!(attributes.get(CALL) instanceof OutgoingCall begun) || (present != null && !begun.hasKey(present))) {
            return Optional.empty();
        }
        String destination = method + " " + uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
        Object name = attributes.get(CALL_NAME);
        begun.send(new SentCalls.Call(place, destination, uri, name == null ? body.get() : null), name);
        return Optional.of(begun);
    }
}
