package io.idem.consumer.kafka;

import org.springframework.kafka.listener.ContainerProperties.AckMode;

class KafkaRecordContractTest extends KafkaContract {

    KafkaRecordContractTest() {
        super(AckMode.RECORD, AutoListeners.class);
    }
}
