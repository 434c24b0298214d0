package io.idem.consumer;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.util.LinkedHashMap;
import java.util.Map;

/** The message headers that carry a key from hop to hop. */
public final class IdempotencyHeaders {

    /** The key, unquoted, in UTF-8. */
    public static final String KEY = "x-idempotency-key";

    /** The key as other libraries write it; read when {@link #KEY} is absent. */
    public static final String STANDARD_KEY = "idempotency-key";

    /** Tenant of the key. */
    public static final String TENANT = "x-idempotency-tenant";

    /** The origin key: the client's key at which the trace of keys begins. */
    public static final String ROOT = "x-idempotency-root";

    /**
     * Digest of an operation whose work published a message that its own listener would read as that operation. For that
     * listener {@link #KEY} counts instead.
     */
    public static final String DERIVED = "x-idempotency-derived";

    /** Digest of the payload: 32 hexadecimal digits. */
    public static final String FINGERPRINT = "x-idempotency-fingerprint";

    /** Reason for a dead letter. */
    public static final String REASON = "x-idempotency-reason";

    /** Queue or topic from which a dead letter came. */
    public static final String ORIGIN = "x-idempotency-origin";

    /** Scope that refused a dead letter. */
    public static final String SCOPE = "x-idempotency-scope";

    /** Number of grants that a dead letter had, 0 where unknown. */
    public static final String ATTEMPTS = "x-idempotency-attempts";

    /**
     * Bean name of the connection factory over which a dead letter of RabbitMQ came. Absent where the application has
     * only one.
     */
    public static final String CONNECTION = "x-idempotency-connection";

    private IdempotencyHeaders() {}

    /**
     * Returns the headers of a message that is published inside idempotent work and that the caller names: the same in
     * every attempt, in whatever order it publishes. Templates keep them.
     *
     * @param destination exchange and routing key, or topic
     */
    public static Map<String, String> named(IdempotencyContext context, String destination, String name) {
        return of(context.publications().namedKey(destination, name), context.root());
    }

    /** Returns the headers of a message with this key, in the order in which they are written. */
    public static Map<String, String> of(IdempotencyKey key, String root) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(KEY, key.value());
        headers.put(TENANT, key.tenant());
        headers.put(ROOT, root);
        return headers;
    }
}
