package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.amqp.rabbit.connection.ChannelProxy;

/** The channels on which the listeners of one container settle their messages themselves. Thread-safe. */
public final class ManualChannels {

    private final Map<Channel, ChannelDeliveries> open = new ConcurrentHashMap<>();

    /**
     * Returns the deliveries of a channel. The proxy of a channel may stand for another one later, so the channel
     * behind it is the key.
     */
    public ChannelDeliveries of(Channel channel) {
        Channel real = channel instanceof ChannelProxy proxy ? proxy.getTargetChannel() : channel;
        ChannelDeliveries known = open.get(real);
        if (known != null) {
            return known;
        }
        ChannelDeliveries fresh = new ChannelDeliveries(channel);
        open.put(real, fresh);
        real.addShutdownListener(cause -> {
            open.remove(real);
            fresh.shutdownCompleted(cause);
        });
        return fresh;
    }
}
