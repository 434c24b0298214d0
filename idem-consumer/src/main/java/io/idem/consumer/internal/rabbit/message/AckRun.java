package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import java.io.IOException;

/**
 * Acknowledges messages of a batch that follow each other with one frame: on its way to the broker every frame is a
 * system call of its own. A frame for many also acknowledges all messages before it on the channel, so none is sent for
 * messages behind one that is left unsettled. Messages come in the order of their tags; those of earlier batches are
 * settled. Confined to the delivering thread.
 */
public final class AckRun {

    private final Channel channel;
    private long last;
    private int length;
    private boolean gap;

    /**
     * Begins a run for the messages that are about to be settled.
     *
     * @param gap whether others of their batch are unsettled and stay so
     */
    public AckRun(Channel channel, boolean gap) {
        this.channel = channel;
        this.gap = gap;
    }

    /** Acknowledges a message together with those before it, at the latest by {@link #send}. */
    public void add(long tag) throws IOException {
        if (gap || tag <= last) {
            channel.basicAck(tag, false);
            return;
        }
        last = tag;
        length++;
    }

    /** Notes that the next message is not settled yet. */
    public void leaveOpen() throws IOException {
        send();
        gap = true;
    }

    public void send() throws IOException {
        int acknowledged = length;
        length = 0;
        if (acknowledged > 0) {
            channel.basicAck(last, acknowledged > 1);
        }
    }
}
