package io.idem.consumer.internal.delivery;

import io.idem.DerivedKeys;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.key.HeaderText;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Headers that a message published inside idempotent work carries on: its own key, the tenant, the origin key, and a
 * message id that is the same in every attempt. Transports write each of them only if it is absent.
 *
 * @param key the message's own key, never its parent's
 * @param root the client's key at which the trace of keys begins
 */
public record PropagatedHeaders(IdempotencyKey key, String root) {

    /**
     * Returns the headers of the next message to a destination. Takes the message's position among those to the
     * destination, so call it once per message, and only for messages that carry no key yet.
     *
     * @param destination exchange and routing key, or topic
     */
    public static PropagatedHeaders next(IdempotencyContext context, String destination) {
        return new PropagatedHeaders(context.publications().nextKey(destination), context.root());
    }

    /**
     * Returns the headers of a message that the caller names: the same in every attempt, in whatever order it
     * publishes.
     */
    public static PropagatedHeaders named(IdempotencyContext context, String destination, String name) {
        return new PropagatedHeaders(context.publications().namedKey(destination, name), context.root());
    }

    /** Returns the headers of a message that carries a key of its own; only those that it lacks are to be written. */
    public static PropagatedHeaders of(IdempotencyContext context, String existingKey) {
        return new PropagatedHeaders(new IdempotencyKey(context.key().tenant(), existingKey), context.root());
    }

    /**
     * Returns the headers of a message as its sender made it: with the key that it carries, under either name, or else
     * with the next one.
     *
     * @param destination exchange and routing key, or topic
     * @param existing the value of a header of the message as its transport carries it; null if it has none
     * @throws io.idem.InvalidKeyException if the message carries a value that no consumer could read as a key
     */
    public static PropagatedHeaders of(
            IdempotencyContext context, String destination, Function<String, @Nullable Object> existing) {
        return Stream.of(IdempotencyHeaders.KEY, IdempotencyHeaders.STANDARD_KEY)
                .flatMap(name -> Stream.ofNullable(existing.apply(name)).map(value -> HeaderText.text(name, value)))
                .findFirst()
                .map(key -> of(context, key))
                .orElseGet(() -> next(context, destination));
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

    static PropagatedHeaders ofReply(Operation answered, int ordinal) {
        IdempotencyKey request = answered.record().key();
        // No destination has an empty name, so the keys differ from those of messages that the work publishes.
        String key = DerivedKeys.derive(request.value(), answered.record().scope(), "", "reply#" + ordinal);
        return new PropagatedHeaders(new IdempotencyKey(request.tenant(), key), answered.root());
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
