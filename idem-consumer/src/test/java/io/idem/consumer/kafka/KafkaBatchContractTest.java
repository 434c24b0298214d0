package io.idem.consumer.kafka;

import org.springframework.kafka.listener.ContainerProperties.AckMode;

class KafkaBatchContractTest extends KafkaContract {

    KafkaBatchContractTest() {
        super(AckMode.BATCH, AutoListeners.class);
    }
}
