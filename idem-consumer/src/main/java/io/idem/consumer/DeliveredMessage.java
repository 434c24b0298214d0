package io.idem.consumer;

import io.idem.IdempotencyKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the deciding interceptor sees of a message, on every transport. {@code toString} describes it for logs: where it came
 * from and its position there, never its payload.
 */
public interface DeliveredMessage {

    /** Stable name of the transport: {@code rabbit}, {@code kafka}. */
    String transport();

    /** Queue or topic it came from. */
    String origin();

    /**
     * All values of a header as the transport carries them, in their order; empty if the header is absent. Other transports on a
     * message's way change the case of names, so it does not matter.
     */
    List<@Nullable Object> header(String name);

    /** The message id as the transport carries it, or null if it has none. */
    @Nullable Object messageId();

    /** What names it among all messages of the broker however often it is delivered; null if it has no such place. */
    @Nullable String position();

    /** Whose key it has if no header that counts says so. */
    default String tenant() {
        return IdempotencyKey.DEFAULT_TENANT;
    }

    /** The body as the transport hands it over: bytes or text, or what a deserializer made of it; null if there is none. */
    @Nullable Object body();

    /** The body's media type as the transport carries it; null if it names none. */
    @Nullable Object contentType();

    /** The transport's own message, for key expressions. */
    Object source();

    /** Whether the container is stopping: then nothing may wait any longer. */
    boolean stopping();
}
