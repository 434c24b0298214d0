package io.idem.consumer.rabbit;

import io.idem.consumer.contract.ConsumerAdapterContract;
import io.idem.consumer.contract.ConsumerApplication;
import java.util.List;
import java.util.stream.Stream;

/** The contract under both containers and both ways of acknowledging. */
abstract class RabbitContract extends ConsumerAdapterContract {

    private final String container;
    private final String mode;
    private final Class<?> listeners;

    RabbitContract(String container, String mode, Class<?> listeners) {
        this.container = container;
        this.mode = mode;
        this.listeners = listeners;
    }

    @Override
    protected ConsumerApplication start(String... settings) {
        Stream<String> own = Stream.of(
                "spring.rabbitmq.listener.type=" + container,
                "spring.rabbitmq.listener." + container + ".acknowledge-mode=" + mode);
        return RabbitApplication.start(
                List.of(listeners), Stream.concat(own, Stream.of(settings)).toArray(String[]::new));
    }

    @Override
    protected int deliveriesPerSecond() {
        return 8;
    }
}
