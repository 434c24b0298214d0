package io.idem.consumer.rabbit;

import org.junit.jupiter.api.Tag;

@Tag("extended")
class RabbitDirectManualContractTest extends RabbitContract {

    RabbitDirectManualContractTest() {
        super("direct", "manual", ManualListeners.class);
    }
}
