package io.idem.consumer.internal.definition;

import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.key.FingerprintReader;
import io.idem.consumer.internal.key.HeaderText;
import io.idem.consumer.internal.key.KeyReader;
import io.idem.consumer.internal.key.OperationHeaders;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link IdempotentListener} method with all its attributes resolved.
 *
 * @param method of the target class
 * @param mayRetry whether idem may own a retry: false where it is switched off, so that nothing would end it
 * @param inbox in whose transactions it runs; null for protection by the store alone
 * @param told the warnings of a scope that were logged
 */
public record ListenerDefinition(
        Method method,
        Scope scope,
        ExecutionPolicy policy,
        KeyReader keys,
        FingerprintReader fingerprints,
        MissingKeyPolicy missingKey,
        boolean trustTenant,
        boolean mayRetry,
        @Nullable Inbox inbox,
        Set<String> told) {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerDefinition.class);

    /**
     * Reads the operation of a message.
     *
     * @return empty if it carries no key
     * @throws InvalidKeyException if a header is not what its name says, or a field of its body cannot be read
     * @throws io.idem.consumer.ListenerConfigurationException if its fingerprint cannot be taken of any message that
     *     comes this way
     */
    public Optional<Operation> operation(DeliveredMessage message, @Nullable Object[] arguments) {
        return key(message, arguments)
                .map(key -> operation(formerly(key, message, arguments), message)
                        .withPayloads(payloads(message, arguments))
                        .withMessage(received(message, key, arguments)));
    }

    private Received received(DeliveredMessage message, IdempotencyKey key, @Nullable Object[] arguments) {
        boolean derived = !message.header(IdempotencyHeaders.DERIVED).isEmpty();
        String own = derived ? keys.read(message, arguments).orElseThrow() : key.value();
        return new Received(
                message,
                key,
                own,
                other -> keyOf(other, message, own, arguments),
                policy.attempts().keepIncomingKey(),
                told,
                ConcurrentHashMap.newKeySet());
    }

    /**
     * Returns the key that another message would have. What its arguments would be is known only of one with the same body:
     * those of this call say nothing about others.
     */
    private Optional<String> keyOf(
            DeliveredMessage other, DeliveredMessage message, String own, @Nullable Object[] arguments) {
        if (!keys.readsArguments()) {
            return read(other, arguments);
        }
        return Objects.deepEquals(other.body(), message.body())
                ? Optional.of(PropagatedHeaders.unlessDerived(other, own, scope))
                : Optional.empty();
    }

    private Optional<String> read(DeliveredMessage message, @Nullable Object[] arguments) {
        return keys.read(message, arguments).map(key -> PropagatedHeaders.unlessDerived(message, key, scope));
    }

    private Optional<IdempotencyKey> key(DeliveredMessage message, @Nullable Object[] arguments) {
        return read(message, arguments)
                .map(key -> new IdempotencyKey(OperationHeaders.tenant(message, trustTenant), key));
    }

    /** Returns the key with the one that earlier versions read. Warns once of a key in quotes that all of them read alike. */
    private IdempotencyKey formerly(IdempotencyKey key, DeliveredMessage message, @Nullable Object[] arguments) {
        DeliveredMessage before = message.asReadBefore();
        boolean alike = before == message || !keys.read(message, arguments).equals(Optional.of(key.value()));
        IdempotencyKey known = alike ? key : key.formerly(keyOrElse(key, before, arguments));
        boolean quoted = key.value().startsWith("\"") && key.value().endsWith("\"");
        if (quoted && known.former().equals(key) && told.add("quotes of " + scope.name())) {
            LOG.warn(
                    "Key {} of scope \"{}\" is a text in quotes, which stays as it is: if another sender writes the same key"
                            + " without quotes, the two are different keys. Send keys as plain UTF-8 text",
                    key.id(),
                    scope);
        }
        return known;
    }

    private IdempotencyKey keyOrElse(
            IdempotencyKey unreadable, DeliveredMessage message, @Nullable Object[] arguments) {
        try {
            return key(message, arguments).orElse(unreadable);
        } catch (InvalidKeyException refused) {
            return unreadable;
        }
    }

    private Operation operation(IdempotencyKey key, DeliveredMessage message) {
        Operation operation = Operation.of(key, scope, policy)
                .withFingerprint(fingerprints.read(message))
                .withTransport(message.transport());
        Operation rooted = HeaderText.read(message, IdempotencyHeaders.ROOT)
                .map(root -> operation.withRoot(IdempotencyKey.of(root).value()))
                .orElse(operation);
        return inbox == null ? rooted : rooted.withInbox(inbox);
    }

    /** Returns the payloads for a reconciler: the arguments as converted, and the transport's own message. */
    private static List<Object> payloads(DeliveredMessage message, @Nullable Object[] arguments) {
        return Stream.concat(Arrays.stream(arguments).filter(Objects::nonNull), Stream.of(message.source()))
                .toList();
    }

    /** Returns whether the transaction of the inbox is only the last phase of the work. */
    public boolean endsInTransaction() {
        return inbox != null && policy.attempts().transaction() == InboxTransaction.LAST_PHASE;
    }

    /** Returns whether a failure of the work is final. Exceptions of idem itself never are: they defer the message. */
    public boolean rejects(Throwable failure) {
        return policy.attempts().failures().rejects(failure);
    }

    /** Returns whether a failure is retried by idem: after a delay, and without the container's knowledge. */
    public boolean retries(Throwable failure) {
        return mayRetry
                && !policy.attempts().backoff().isNone()
                && failure instanceof Exception
                && !FailurePolicy.isNotNow(failure);
    }
}
