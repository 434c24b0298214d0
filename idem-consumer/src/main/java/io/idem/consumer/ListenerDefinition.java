package io.idem.consumer;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyException;
import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.spi.Inbox;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One {@link IdempotentListener} method with everything resolved.
 *
 * @param method of the target class
 * @param inbox in whose transactions it runs; null for Redis-only protection
 * @param rejectOn exceptions that no retry can cure
 */
record ListenerDefinition(
        Method method,
        Scope scope,
        ExecutionPolicy policy,
        KeyReader keys,
        MissingKeyPolicy missingKey,
        boolean trustTenant,
        @Nullable Inbox inbox,
        List<Class<? extends Throwable>> rejectOn) {

    /**
     * What a message asks for.
     *
     * @return empty if it carries no key
     * @throws InvalidKeyException if one of its headers cannot be what its name says
     */
    Optional<Operation> operation(DeliveredMessage message, MethodInvocation invocation) {
        return keys.read(message, invocation).map(key -> operation(new IdempotencyKey(tenant(message), key), message));
    }

    private Operation operation(IdempotencyKey key, DeliveredMessage message) {
        Operation operation = Operation.of(key, scope, policy).withFingerprint(fingerprint(message));
        Operation rooted = HeaderText.read(message, IdempotencyHeaders.ROOT)
                .map(root -> operation.withRoot(IdempotencyKey.of(root).value()))
                .orElse(operation);
        return inbox == null ? rooted : rooted.withInbox(inbox);
    }

    private String tenant(DeliveredMessage message) {
        return trustTenant
                ? HeaderText.read(message, IdempotencyHeaders.TENANT).orElse(IdempotencyKey.DEFAULT_TENANT)
                : IdempotencyKey.DEFAULT_TENANT;
    }

    private static Fingerprint fingerprint(DeliveredMessage message) {
        try {
            return HeaderText.read(message, IdempotencyHeaders.FINGERPRINT)
                    .map(Fingerprint::parse)
                    .orElse(Fingerprint.NONE);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidKeyException("Header " + IdempotencyHeaders.FINGERPRINT + " of " + message
                    + " is not 32 hexadecimal digits: " + malformed.getMessage());
        }
    }

    /** Whether a failure of the work is final. What idem itself throws never is: it says "not now". */
    boolean rejects(Throwable failure) {
        return !(failure instanceof IdempotencyException)
                && rejectOn.stream().anyMatch(type -> type.isInstance(failure));
    }
}
