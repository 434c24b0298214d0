package io.idem.consumer.kafka;

import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** {@link AcknowledgementTest} and {@link AsyncAcknowledgementTest} look at what is particular to MANUAL in every build. */
@Tag("extended")
class KafkaManualContractTest extends KafkaContract {

    KafkaManualContractTest() {
        super(AckMode.MANUAL, ManualListeners.class);
    }
}
