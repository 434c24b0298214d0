package io.idem.consumer.kafka;

import org.springframework.kafka.listener.ContainerProperties.AckMode;

class KafkaManualContractTest extends KafkaContract {

    KafkaManualContractTest() {
        super(AckMode.MANUAL, ManualListeners.class);
    }
}
