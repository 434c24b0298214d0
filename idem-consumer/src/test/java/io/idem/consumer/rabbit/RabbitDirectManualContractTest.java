package io.idem.consumer.rabbit;

class RabbitDirectManualContractTest extends RabbitContract {

    RabbitDirectManualContractTest() {
        super("direct", "manual", ManualListeners.class);
    }
}
