package io.idem.consumer.kafka;

import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

@Tag("extended")
class KafkaAsyncContractTest extends KafkaContract {

    KafkaAsyncContractTest() {
        super(AckMode.MANUAL_IMMEDIATE, AsyncListeners.class);
    }
}
