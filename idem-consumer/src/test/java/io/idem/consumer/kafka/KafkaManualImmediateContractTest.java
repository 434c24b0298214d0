package io.idem.consumer.kafka;

import org.springframework.kafka.listener.ContainerProperties.AckMode;

class KafkaManualImmediateContractTest extends KafkaContract {

    KafkaManualImmediateContractTest() {
        super(AckMode.MANUAL_IMMEDIATE, ManualListeners.class);
    }
}
