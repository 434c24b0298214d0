package io.idem.consumer.kafka;

import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** Differs from MANUAL in when offsets are committed only, which {@link AcknowledgementTest} looks at in every build. */
@Tag("extended")
class KafkaManualImmediateContractTest extends KafkaContract {

    KafkaManualImmediateContractTest() {
        super(AckMode.MANUAL_IMMEDIATE, ManualListeners.class);
    }
}
