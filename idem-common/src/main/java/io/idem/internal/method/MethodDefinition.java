package io.idem.internal.method;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.IdempotencyKeys;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.Scope;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A method with {@link io.idem.Idempotent} and all its attributes resolved.
 *
 * @param method of the target class
 * @param endsLater whether it returns a stage with which its work ends
 * @param valueType the type of the value that duplicates are answered with
 * @param compared what must be alike in all calls with one key; null for nothing
 * @param inbox in whose transactions it runs; null for protection by the store alone
 */
record MethodDefinition(
        Method method,
        boolean endsLater,
        Type valueType,
        Scope scope,
        ExecutionPolicy policy,
        CallKey key,
        @Nullable KeyExpression compared,
        @Nullable Inbox inbox) {

    /**
     * Returns the operation of a call.
     *
     * @throws io.idem.InvalidKeyException if the call has no key, or nothing that can be compared
     */
    Operation operation(@Nullable Object[] arguments) {
        Operation operation = Operation.of(IdempotencyKey.of(key.read(arguments)), scope, policy)
                .withFingerprint(fingerprint(arguments))
                .withPayloads(Arrays.stream(arguments).filter(Objects::nonNull).toList());
        Operation rooted = IdempotencyContext.current()
                .map(caller -> operation.withRoot(caller.root()))
                .orElse(operation);
        return inbox == null ? rooted : rooted.withInbox(inbox);
    }

    private Fingerprint fingerprint(@Nullable Object[] arguments) {
        if (compared == null) {
            return Fingerprint.NONE;
        }
        Object value = compared.evaluate(arguments);
        List<?> values = value instanceof List<?> several ? several : Collections.singletonList(value);
        Map<String, @Nullable Object> parts = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            parts.put("fingerprint[" + i + "]", values.get(i));
        }
        return Fingerprint.of(IdempotencyKeys.ofFields(parts).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the key is a time of the method's schedule. */
    boolean isScheduled() {
        return key instanceof CallKey.BySchedule;
    }

    /** Returns whether the transaction of the inbox is only the last phase of the work. */
    boolean endsInTransaction() {
        return inbox != null && policy.attempts().transaction() == InboxTransaction.LAST_PHASE;
    }

    @Override
    public String toString() {
        return MethodConfigurationException.describe(method);
    }
}
