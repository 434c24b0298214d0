package io.idem.consumer;

import io.idem.IdempotencyKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivered message as the deciding interceptor sees it, on every transport. {@code toString} describes it for logs:
 * where it came from and its position there, never its payload.
 */
public interface DeliveredMessage {

    /** Stable name of the transport: {@code rabbit}, {@code kafka}. */
    String transport();

    /** Queue or topic that the message came from. */
    String origin();

    /**
     * Returns all values of a header as the transport carries them, in their order; empty if the header is absent.
     * Other transports on a message's way change the case of names, so it does not matter.
     */
    List<@Nullable Object> header(String name);

    /** Returns the message with its headers as earlier versions read them; itself if they read them alike. */
    default DeliveredMessage asReadBefore() {
        return this;
    }

    /** The message id as the transport carries it, or null if it has none. */
    @Nullable Object messageId();

    /**
     * Position that names the message among all messages of the broker however often it is delivered; null if it has
     * none.
     */
    @Nullable String position();

    /** Tenant of the message's key if no header that counts names one. */
    default String tenant() {
        return IdempotencyKey.DEFAULT_TENANT;
    }

    /**
     * The body as the transport hands it over: bytes, text, or the object that a deserializer made of it; null if there
     * is none.
     */
    @Nullable Object body();

    /** The body's media type as the transport carries it; null if it names none. */
    @Nullable Object contentType();

    /** The transport's own message, for key expressions. */
    Object source();

    /** Returns whether the container is stopping: then nothing may wait any longer. */
    boolean stopping();
}
