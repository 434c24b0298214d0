package io.idem.consumer.internal.delivery;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.key.CloudEventKey;
import io.idem.consumer.internal.key.HeaderText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The message that brought work, and what becomes of its key on messages that the work publishes.
 *
 * @param key the key of the work
 * @param own the key that the listener reads where {@link IdempotencyHeaders#DERIVED} does not count
 * @param keys reads the key of a message as the listener does
 * @param keepsKey whether the key stays on messages that bring no later attempt
 * @param told the warnings of a scope that were logged
 * @param marked the destinations of messages that were {@linkplain #mark marked}
 */
public record Received(
        DeliveredMessage message,
        IdempotencyKey key,
        String own,
        Function<DeliveredMessage, Optional<String>> keys,
        boolean keepsKey,
        Set<String> told,
        Set<String> marked) {

    private static final Logger LOG = LoggerFactory.getLogger(Received.class);

    /**
     * The contexts of work under way, by the very object that is the key in the headers of its message, or else by its
     * body: copies share it. Static, because a template knows neither the listener nor the thread that got the message.
     */
    private static final Map<Object, IdempotencyContext> WORKING = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Makes copies of the message known to threads without a context, until the returned action is run. */
    public static Runnable begin(IdempotencyContext context) {
        Optional<Object> shared = of(context).flatMap(received -> shared(received.message()));
        shared.ifPresent(object -> WORKING.put(object, context));
        return () -> shared.ifPresent(object -> WORKING.remove(object, context));
    }

    /** Returns what copies of a message share with it: the key in its headers or, without one there, the body. */
    private static Optional<Object> shared(DeliveredMessage message) {
        Object key = carriedObject(message);
        return Optional.ofNullable(key == null ? message.body() : key);
    }

    /**
     * Returns the context of work under way with whose message's headers another one is published, or which another one
     * without a key in its headers repeats.
     */
    public static Optional<IdempotencyContext> working(Supplier<Outgoing> message) {
        if (WORKING.isEmpty()) {
            return Optional.empty();
        }
        Outgoing published = message.get();
        return shared(published.message())
                .map(WORKING::get)
                .filter(context -> carriedObject(published.message()) != null || isAbout(context, published));
    }

    /** Returns the key as it is in the headers: what a transport decodes is another object each time. */
    private static @Nullable Object carriedObject(DeliveredMessage message) {
        return PropagatedHeaders.carriedKey(message.asReadBefore());
    }

    /** Returns the message that brought the work of a context; empty if none did. */
    static Optional<Received> of(IdempotencyContext context) {
        return Optional.ofNullable((Received) context.publications().message());
    }

    /** Returns whether another message is about the one that brought the work of a context. */
    public static boolean isAbout(IdempotencyContext context, Outgoing other) {
        return of(context).filter(received -> received.isFor(other)).isPresent();
    }

    /** Returns whether a later attempt of the work of a context comes with a message, whose headers are written. */
    public static boolean isLaterAttempt(IdempotencyContext context, Outgoing written) {
        return of(context)
                .filter(received -> received.comesWith(context, written))
                .isPresent();
    }

    /**
     * Returns the value of {@link IdempotencyHeaders#DERIVED} for a message of the work of a context, whose other headers are
     * written; empty if its listener would not read the key of that work from it, or is to.
     */
    public static Optional<String> mark(IdempotencyContext context, Outgoing written) {
        return of(context)
                .filter(received -> !received.keepsKey
                        && received.isReadFrom(written, received.own)
                        && !received.comesWith(context, written))
                .map(received -> {
                    received.warnOfSeveral(context, written.destination());
                    return PropagatedHeaders.mark(received.own, context.scope());
                });
    }

    private void warnOfSeveral(IdempotencyContext context, String destination) {
        if (!marked.add(destination) && told.add("several of " + context.scope().name())) {
            LOG.warn(
                    "Work of scope \"{}\" published several messages to {} from which its listener would read the key of that"
                            + " work ({}). To this listener each of them is a new operation, but to one of another scope that"
                            + " reads its key from the same place, all but the first are duplicates: give each message a value"
                            + " of its own there. This is said once for each scope",
                    context.scope(),
                    destination,
                    key.id());
        }
    }

    /** Notes that the work of a context has sent a message: a later attempt may come with it. */
    public static void published(IdempotencyContext context, Outgoing written) {
        if (isLaterAttempt(context, written)) {
            context.publications().again();
        }
    }

    /** Returns whether another message has the key of this one in its headers or, without a key, its message id. */
    boolean isCarriedBy(DeliveredMessage other) {
        Object carried = PropagatedHeaders.carriedKey(other);
        return isOfTenant(other)
                && (carried == null
                        ? hasIdOf(other) || isEvent(other)
                        : Objects.deepEquals(carried, PropagatedHeaders.carriedKey(message))
                                || HeaderText.text(IdempotencyHeaders.KEY, carried)
                                        .equals(key.value()));
    }

    /** Returns whether another message carries the key of this one, or is a copy or another body from which it is read. */
    private boolean isFor(Outgoing other) {
        return isCarriedBy(other.message())
                || ((other.copies().test(message) || other.returns().test(message)) && isReadFrom(other, own));
    }

    private boolean hasIdOf(DeliveredMessage other) {
        return other.messageId() != null && Objects.deepEquals(other.messageId(), message.messageId());
    }

    /** Returns whether another message has the headers of the CloudEvent whose key the work has. */
    boolean isEvent(DeliveredMessage other) {
        return CloudEventKey.ofHeaders(other).equals(Optional.of(own));
    }

    private boolean isOfTenant(DeliveredMessage other) {
        Object tenant = PropagatedHeaders.last(other, IdempotencyHeaders.TENANT);
        return tenant == null
                || Objects.deepEquals(tenant, PropagatedHeaders.last(message, IdempotencyHeaders.TENANT))
                || HeaderText.text(IdempotencyHeaders.TENANT, tenant).equals(key.tenant());
    }

    /** Returns whether the listener of this message would read a key from the other one. */
    private boolean isReadFrom(Outgoing other, String text) {
        try {
            return isOfTenant(other.message()) && keys.apply(other.message()).equals(Optional.of(text));
        } catch (InvalidKeyException unreadable) {
            return false;
        }
    }

    /**
     * Returns whether the listener of this message gets the other one, and takes it for the same operation. After the commit
     * of an inbox the operation is done, and nothing brings another attempt.
     */
    private boolean comesWith(IdempotencyContext context, Outgoing other) {
        return !context.publications().isCommitted() && other.returns().test(message) && isReadFrom(other, key.value());
    }

    /** Returns whether another message is this one on its way back to the listener. */
    boolean isRepeatedBy(IdempotencyContext context, Outgoing other) {
        return other.copies().test(message) && comesWith(context, other);
    }

    /** Returns the headers of a message that carries the key of this one. */
    PropagatedHeaders headers(IdempotencyContext context, Outgoing carrier) {
        if (keepsKey || isRepeatedBy(context, carrier)) {
            return PropagatedHeaders.existing(context, key.value());
        }
        if (told.add("own key of " + context.scope().name())) {
            LOG.warn(
                    "Work of scope \"{}\" published to {} under the key of its own message ({}). Its key and message id, and"
                            + " the id of an event that goes by it, were replaced, or receivers could take it for a duplicate;"
                            + " to keep that key set keep-incoming-key of idem.scopes. This is said once for each scope",
                    context.scope(),
                    carrier.destination(),
                    key.id());
        }
        IdempotencyKey next = context.publications().nextKey(carrier.destination());
        return new PropagatedHeaders(next, context.root(), this);
    }
}
