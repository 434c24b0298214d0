package io.idem.consumer.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.idem.consumer.contract.EventLog;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Notes what consumers get and what they tell the broker of each message, after it was sent. */
final class ObservedSettlements extends NoOpMetricsCollector {

    private final EventLog log;
    private final Map<Channel, NavigableSet<Long>> unsettled = new ConcurrentHashMap<>();

    ObservedSettlements(EventLog log) {
        this.log = log;
    }

    @Override
    public void consumedMessage(Channel channel, long deliveryTag, String consumerTag) {
        unsettled(channel).add(deliveryTag);
        log.note(EventLog.DELIVERY);
    }

    @Override
    public void basicAck(Channel channel, long deliveryTag, boolean multiple) {
        if (!multiple) {
            unsettled(channel).remove(deliveryTag);
            log.note(EventLog.ACKNOWLEDGE);
            return;
        }
        NavigableSet<Long> acknowledged = unsettled(channel).headSet(deliveryTag, true);
        while (acknowledged.pollFirst() != null) {
            log.note(EventLog.ACKNOWLEDGE);
        }
    }

    @Override
    public void basicNack(Channel channel, long deliveryTag, boolean requeue) {
        unsettled(channel).remove(deliveryTag);
        log.note(requeue ? EventLog.HAND_BACK : EventLog.REJECT);
    }

    @Override
    public void basicReject(Channel channel, long deliveryTag, boolean requeue) {
        unsettled(channel).remove(deliveryTag);
        log.note(EventLog.REJECT);
    }

    private NavigableSet<Long> unsettled(Channel channel) {
        return unsettled.computeIfAbsent(channel, first -> new ConcurrentSkipListSet<>());
    }
}
