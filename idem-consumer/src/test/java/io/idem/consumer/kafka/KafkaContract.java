package io.idem.consumer.kafka;

import io.idem.consumer.contract.ConsumerAdapterContract;
import io.idem.consumer.contract.ConsumerApplication;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** The contract under one way of acknowledging. */
@Tag("servers")
abstract class KafkaContract extends ConsumerAdapterContract {

    private final AckMode mode;
    private final Class<?> listeners;

    KafkaContract(AckMode mode, Class<?> listeners) {
        this.mode = mode;
        this.listeners = listeners;
    }

    @Override
    protected ConsumerApplication start(String... settings) {
        Stream<String> own = Stream.of("spring.kafka.listener.ack-mode=" + mode);
        return KafkaContractApplication.start(
                listeners, Stream.concat(own, Stream.of(settings)).toArray(String[]::new));
    }

    @Override
    protected int deliveriesPerSecond() {
        return 5;
    }
}
