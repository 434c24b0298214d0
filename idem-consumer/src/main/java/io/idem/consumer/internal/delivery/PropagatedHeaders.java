package io.idem.consumer.internal.delivery;

import io.idem.DerivedKeys;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.key.HeaderText;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Headers that a message published inside idempotent work carries on: its own key, the tenant, the origin key, and a
 * message id that is the same in every attempt. Transports write each of them only if it is absent, or has the value of
 * the message in whose place they stand.
 *
 * @param key the message's own key, never its parent's
 * @param root the client's key at which the trace of keys begins
 * @param replaced the message whose key and id they take the place of; null if those stay
 */
public record PropagatedHeaders(
        IdempotencyKey key, String root, @Nullable Received replaced) {

    /**
     * Returns the headers of a message that the caller names: the same in every attempt, in whatever order it
     * publishes.
     */
    public static PropagatedHeaders named(IdempotencyContext context, Outgoing message, String name) {
        IdempotencyKey key = context.publications().namedKey(message.destination(), name);
        return new PropagatedHeaders(
                key, context.root(), carried(context, message).orElse(null));
    }

    private static Optional<Received> carried(IdempotencyContext context, Outgoing message) {
        return Received.of(context)
                .filter(received -> received.isCarriedBy(message.message()) || received.isRepeatedBy(context, message));
    }

    /** Returns the headers of a message that carries a key of its own; only those that it lacks are to be written. */
    static PropagatedHeaders existing(IdempotencyContext context, String key) {
        return new PropagatedHeaders(new IdempotencyKey(context.key().tenant(), key), context.root(), null);
    }

    /**
     * Returns the headers of a message as its sender made it: with the key that it carries, under either name, or else
     * with the next one. The key of the message that brought the work stays only where a later attempt comes with it, or
     * where the scope says so. Takes the message's position among those to its destination if it gets the next key, so call it
     * once per message.
     *
     * @throws io.idem.InvalidKeyException if the message carries a value that no consumer could read as a key
     */
    public static PropagatedHeaders of(IdempotencyContext context, Outgoing message) {
        Optional<Received> carried = carried(context, message);
        if (carried.isPresent()) {
            return carried.get().headers(context, message);
        }
        Object key = carriedKey(message.message());
        return key == null
                ? new PropagatedHeaders(context.publications().nextKey(message.destination()), context.root(), null)
                : existing(context, HeaderText.text(IdempotencyHeaders.KEY, key));
    }

    static @Nullable Object carriedKey(DeliveredMessage in) {
        Object own = last(in, IdempotencyHeaders.KEY);
        return own == null ? last(in, IdempotencyHeaders.STANDARD_KEY) : own;
    }

    /** Returns the last value of a header, in any spelling; null if there is none. */
    public static @Nullable Object last(DeliveredMessage in, String name) {
        return in.header(name).stream()
                .filter(Objects::nonNull)
                .reduce((first, second) -> second)
                .orElse(null);
    }

    /** Returns whether a header has a key, in any spelling. */
    public static boolean isKey(String header) {
        return header.equalsIgnoreCase(IdempotencyHeaders.KEY)
                || header.equalsIgnoreCase(IdempotencyHeaders.STANDARD_KEY);
    }

    /** Returns whether the id of the event in whose place they stand is replaced in a message, whose headers are as they were. */
    public boolean replaceEventId(DeliveredMessage in) {
        return replaced != null && replaced.isEvent(in);
    }

    /**
     * Returns the value of {@link IdempotencyHeaders#DERIVED}.
     *
     * @param key the key that the listener would read
     */
    static String mark(String key, Scope scope) {
        // No destination has an empty name, so this is no key of a message.
        return DerivedKeys.derive(key, scope, "", "derived");
    }

    /** Returns the key of a message from which its listener reads another one, which does not count for a marked message. */
    public static String unlessDerived(DeliveredMessage message, String read, Scope scope) {
        return HeaderText.read(message, IdempotencyHeaders.DERIVED)
                .filter(mark(read, scope)::equals)
                .flatMap(marked -> HeaderText.read(message, IdempotencyHeaders.KEY))
                .orElse(read);
    }

    /** Returns whether a message id is that of the message whose place they take. */
    public boolean replaceId(@Nullable Object id) {
        Object read = id instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : id;
        return replaced != null && Objects.deepEquals(read, replaced.message().messageId());
    }

    /**
     * Returns the headers of a reply that is sent on the calling thread to the message that is being delivered on it.
     * Takes the reply's position among the delivery's replies, so call it once for each.
     *
     * @return empty outside of a delivery, for a message without a key, and where the work is not done
     */
    public static Optional<PropagatedHeaders> nextReply() {
        return CurrentDelivery.get().flatMap(Delivery::nextReply);
    }

    /**
     * Returns the headers that take the place of those of the answered message in a reply which was made with that
     * message's headers. Takes the reply's position like {@link #nextReply}.
     *
     * @return empty for every other reply, and outside of a delivery
     */
    public static Optional<PropagatedHeaders> insteadOf(DeliveredMessage reply) {
        return CurrentDelivery.get().flatMap(delivery -> delivery.insteadOf(reply));
    }

    static PropagatedHeaders ofReply(Operation answered, int ordinal) {
        IdempotencyKey request = answered.record().key();
        // No destination has an empty name, so the keys differ from those of messages that the work publishes.
        String key =
                DerivedKeys.derive(request.former().value(), answered.record().scope(), "", "reply#" + ordinal);
        return new PropagatedHeaders(new IdempotencyKey(request.tenant(), key), answered.root(), null);
    }

    /** Names and values, in the order in which they are written. */
    public Map<String, String> asMap() {
        return IdempotencyHeaders.of(key, root);
    }

    /** A message id that a second attempt repeats: the digest of tenant and key. */
    public String messageId() {
        return key.id();
    }
}
