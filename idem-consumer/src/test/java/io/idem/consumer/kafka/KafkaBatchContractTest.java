package io.idem.consumer.kafka;

import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** Differs from RECORD in when offsets are committed only, which {@link AcknowledgementTest} looks at in every build. */
@Tag("extended")
class KafkaBatchContractTest extends KafkaContract {

    KafkaBatchContractTest() {
        super(AckMode.BATCH, AutoListeners.class);
    }
}
