package io.idem.consumer.kafka;

import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

@Tag("extended")
class KafkaLateContractTest extends KafkaContract {

    KafkaLateContractTest() {
        super(AckMode.MANUAL_IMMEDIATE, LateListeners.class);
    }
}
