package io.idem.consumer.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.idem.consumer.contract.EventLog;

/** Notes what consumers get and what they tell the broker, after it was sent. */
final class ObservedSettlements extends NoOpMetricsCollector {

    private final EventLog log;

    ObservedSettlements(EventLog log) {
        this.log = log;
    }

    @Override
    public void consumedMessage(Channel channel, long deliveryTag, String consumerTag) {
        log.note(EventLog.DELIVERY);
    }

    @Override
    public void basicAck(Channel channel, long deliveryTag, boolean multiple) {
        log.note(EventLog.ACKNOWLEDGE);
    }

    @Override
    public void basicNack(Channel channel, long deliveryTag, boolean requeue) {
        log.note(requeue ? EventLog.HAND_BACK : EventLog.REJECT);
    }

    @Override
    public void basicReject(Channel channel, long deliveryTag, boolean requeue) {
        log.note(EventLog.REJECT);
    }
}
