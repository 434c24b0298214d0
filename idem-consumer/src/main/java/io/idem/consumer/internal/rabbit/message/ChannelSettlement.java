package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A settlement by one of the channel's three methods. */
public record ChannelSettlement(Kind kind, long upTo, boolean multiple, boolean requeue) {

    enum Kind {
        ACK,
        NACK,
        REJECT
    }

    /** Returns the settlement that a call of a channel makes; null for all other calls. */
    public static @Nullable ChannelSettlement of(String method, Object[] arguments) {
        return switch (method) {
            case "basicAck" -> new ChannelSettlement(Kind.ACK, (long) arguments[0], (boolean) arguments[1], false);
            case "basicNack" ->
                new ChannelSettlement(Kind.NACK, (long) arguments[0], (boolean) arguments[1], (boolean) arguments[2]);
            case "basicReject" ->
                new ChannelSettlement(Kind.REJECT, (long) arguments[0], false, (boolean) arguments[1]);
            default -> null;
        };
    }

    /** Returns whether it covers a tag. Tag 0 with {@code multiple} means all that are outstanding. */
    public boolean covers(long tag) {
        return upTo == tag || (multiple && (upTo == 0 || upTo > tag));
    }

    public boolean acknowledges() {
        return kind == Kind.ACK;
    }

    void send(Channel channel) throws IOException {
        switch (kind) {
            case ACK -> channel.basicAck(upTo, multiple);
            case NACK -> channel.basicNack(upTo, multiple, requeue);
            case REJECT -> channel.basicReject(upTo, requeue);
        }
    }

    /** Sends it for a single delivery of those that it covers. */
    void send(Channel channel, long tag) throws IOException {
        new ChannelSettlement(kind, tag, false, requeue).send(channel);
    }
}
