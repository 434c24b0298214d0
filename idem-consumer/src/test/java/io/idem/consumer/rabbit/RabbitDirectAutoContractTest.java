package io.idem.consumer.rabbit;

import org.junit.jupiter.api.Tag;

@Tag("extended")
class RabbitDirectAutoContractTest extends RabbitContract {

    RabbitDirectAutoContractTest() {
        super("direct", "auto", AutoListeners.class);
    }
}
