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
    private final FailedCalls failures = new FailedCalls();

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
        begin().ifPresent(call -> attributes.accept(CALL, call));
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
        OutgoingCall begun = attributes.get(CALL) instanceof OutgoingCall known ? known : begin().orElse(null);
        String present = headers.getFirst(header);
        if (begun == null || (present != null && !begun.hasKey(present))) {
            return Optional.empty();
        }
        String destination = method + " " + uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
        Object name = attributes.get(CALL_NAME);
        if (name == null) {
            begun.send(destination, () -> new FailedCalls.Call(place, method, uri, body.get()));
        } else {
            begun.sendNamed(destination, name.toString());
        }
        return Optional.of(begun);
    }

    private Optional<OutgoingCall> begin() {
        return IdempotencyContext.current().map(context -> new OutgoingCall(context, failures));
    }
}
