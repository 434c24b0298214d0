package io.idem.consumer.internal.rabbit.defer;

import io.idem.consumer.rabbit.DeferralSettings.QueueType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.amqp.core.Queue;

/**
 * The queue in which messages of another queue wait. One delay for all of them: the broker looks at its first message
 * only, so that a longer wait in front would hold up shorter ones. It has no consumers.
 *
 * @param target queue from which its messages come and to which they go back
 * @param delay part of its name, since a queue cannot change its arguments
 */
public record DelayQueue(String target, Duration delay) {

    public String name() {
        return target + ".delay-" + delay.toMillis() + "ms";
    }

    public Queue declaration(QueueType type) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("x-queue-type", type == QueueType.QUORUM ? "quorum" : "classic");
        arguments.put("x-message-ttl", delay.toMillis());
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-routing-key", target);
        if (type == QueueType.QUORUM) {
            arguments.put("x-dead-letter-strategy", "at-least-once");
            arguments.put("x-overflow", "reject-publish");
        }
        return new Queue(name(), true, false, false, arguments);
    }
}
