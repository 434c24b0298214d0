package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unsettled deliveries of one channel, as far as their listeners settle them: one settlement may cover several. A
 * delivery is removed after the frame was sent, not before, so that no frame for many acknowledges one that is still
 * being recorded. Thread-safe.
 */
public final class ChannelDeliveries implements ShutdownListener {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelDeliveries.class);

    private final Channel channel;
    private final NavigableMap<Long, HeldRabbitAck> unsettled = new ConcurrentSkipListMap<>();
    private volatile boolean ended;

    /** Makes the deliveries of a channel. */
    ChannelDeliveries(Channel channel) {
        this.channel = channel;
    }

    void add(HeldRabbitAck delivery) {
        unsettled.put(delivery.tag(), delivery);
    }

    void remove(HeldRabbitAck delivery) {
        unsettled.remove(delivery.tag(), delivery);
    }

    /** Returns whether the channel has ended, so that the broker has taken all unsettled messages back. */
    boolean hasEnded() {
        return ended;
    }

    /**
     * Applies a listener's settlement on the channel of one of its deliveries: at once to deliveries whose listener has
     * returned, at its return to the one that still runs. Blocks while records are completed.
     *
     * @throws IllegalStateException if not all of them could be recorded; the others are settled
     */
    void settle(HeldRabbitAck by, ChannelSettlement settlement) throws IOException {
        List<HeldRabbitAck> covered = covered(settlement);
        for (HeldRabbitAck delivery : covered) {
            if (delivery.hold(settlement)) {
                return;
            }
        }
        List<HeldRabbitAck> claimed =
                covered.stream().filter(HeldRabbitAck::claim).toList();
        if (!claimed.isEmpty()) {
            settleAll(claimed, settlement);
        } else if (settlement.covers(by.tag())) {
            by.settleAgain(settlement);
        } else {
            settlement.send(channel);
        }
    }

    /**
     * Applies a settlement to the deliveries that a batch listener has left open, and to no others.
     *
     * @throws IllegalStateException if not all of them could be recorded; the others are settled
     */
    public void settleOpen(ChannelSettlement settlement) throws IOException {
        settleAll(covered(settlement).stream().filter(HeldRabbitAck::claim).toList(), settlement);
    }

    /** Returns whether all deliveries are settled. */
    public boolean isEmpty() {
        return unsettled.isEmpty();
    }

    /** Settles a delivery whose listener has returned, together with the earlier ones that the listener meant. */
    void settleReturned(HeldRabbitAck returned, ChannelSettlement settlement) throws IOException {
        List<HeldRabbitAck> claimed = new ArrayList<>();
        for (HeldRabbitAck delivery : covered(settlement)) {
            if (delivery == returned || delivery.claim()) {
                claimed.add(delivery);
            }
        }
        try {
            settleAll(claimed, settlement);
        } catch (IllegalStateException notRecorded) {
            LOG.warn("An acknowledgement of several messages leaves some unacknowledged: {}", notRecorded.getMessage());
        }
    }

    private List<HeldRabbitAck> covered(ChannelSettlement settlement) {
        return unsettled.values().stream()
                .filter(delivery -> settlement.covers(delivery.tag()))
                .toList();
    }

    private void settleAll(List<HeldRabbitAck> claimed, ChannelSettlement settlement) throws IOException {
        List<HeldRabbitAck> done = new ArrayList<>(claimed.size());
        RuntimeException failure = null;
        for (HeldRabbitAck delivery : claimed) {
            try {
                delivery.endWork(settlement.acknowledges());
                done.add(delivery);
            } catch (RuntimeException notRecorded) {
                delivery.leaveOpenAgain();
                failure = notRecorded;
            }
        }
        try {
            send(done, settlement);
        } finally {
            done.forEach(this::remove);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void send(List<HeldRabbitAck> done, ChannelSettlement settlement) throws IOException {
        if (!settlement.acknowledges()) {
            for (HeldRabbitAck delivery : done) {
                settlement.send(channel, delivery.tag());
            }
            return;
        }
        AckRun acknowledged = new AckRun(channel, othersBefore(done));
        for (HeldRabbitAck delivery : done) {
            acknowledged.add(delivery.tag());
        }
        acknowledged.send();
    }

    /** Returns whether a frame for many would acknowledge others, too. */
    private boolean othersBefore(List<HeldRabbitAck> done) {
        if (done.isEmpty()) {
            return false;
        }
        Set<HeldRabbitAck> known = new HashSet<>(done);
        Collection<HeldRabbitAck> before =
                unsettled.headMap(done.get(done.size() - 1).tag(), true).values();
        return !known.containsAll(before);
    }

    @Override
    public void shutdownCompleted(ShutdownSignalException cause) {
        ended = true;
        unsettled.values().forEach(HeldRabbitAck::channelEnded);
        unsettled.clear();
    }
}
