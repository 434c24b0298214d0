package io.idem.http;

import java.util.List;
import java.util.Optional;

/**
 * Finds the key that a request brings with it: in headers of the sender's choice or in its body. For webhooks and events, whose senders
 * number what they send and know no key header. {@link WebhookPreset} has the rules of known senders. Thread-safe; must not block.
 *
 * <p>The body is read, and the {@link RequestCheck} of the route has accepted the request, before the source is asked. The pattern of the
 * route and the values of its variables become part of the key, so two endpoints that get the same event do not share a record.
 */
@FunctionalInterface
public interface KeySource {

    /**
     * Returns the texts that identify the event together, in a fixed order: who sent it, if the route has several senders, and its number.
     * An attempt to deliver the event again must have the same ones.
     *
     * @param body body as received; must not be changed
     * @return empty if the request has no such texts. It is refused with 400, as it is for an empty list and for one with a blank text
     */
    Optional<List<String>> read(IncomingRequest request, byte[] body);

    /**
     * Returns the texts that earlier versions of this source found, if they were others than those of {@link #read}: a delivery that was
     * handled under them is not handled again. Empty by default.
     */
    default Optional<List<String>> former(IncomingRequest request, byte[] body) {
        return Optional.empty();
    }

    /** Returns where the key is, to complete the sentence "The key is taken from ..." in logs and refusals. */
    default String place() {
        return "what the key source of this route reads";
    }

    /**
     * Returns whether a route with this source is refused at start-up unless something verifies who sent a request; default true. Without
     * that, anybody could take the key of an event that is still to come, so that the event itself would be answered as a duplicate.
     */
    default boolean requiresSignature() {
        return true;
    }

    /**
     * Returns a source that reads one header. It requires no signature, as the key header requires none.
     *
     * @throws IllegalArgumentException if this is not the name of a header
     */
    static KeySource header(String name) {
        return KeyParts.header(name);
    }

    /**
     * Returns a source that reads values of a JSON body. Each must be a text, a whole number or a boolean.
     *
     * @param pointers JSON pointers (RFC 6901), for example {@code /event/id}; at least one
     * @throws IllegalArgumentException names the pointer that is not valid
     */
    static KeySource jsonPointers(String... pointers) {
        return KeyParts.pointers(List.of(pointers));
    }
}
