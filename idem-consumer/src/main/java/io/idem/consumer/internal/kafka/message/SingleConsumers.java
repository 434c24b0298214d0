package io.idem.consumer.internal.kafka.message;

import java.util.Collection;
import java.util.List;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Finds the containers of single consumers, which alone know the partitions that they were asked to pause. */
final class SingleConsumers {

    private SingleConsumers() {}

    static Collection<? extends MessageListenerContainer> of(MessageListenerContainer container) {
        return container instanceof ConcurrentMessageListenerContainer<?, ?> several
                ? several.getContainers()
                : List.of(container);
    }
}
