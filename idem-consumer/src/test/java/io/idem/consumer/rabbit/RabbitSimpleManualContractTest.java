package io.idem.consumer.rabbit;

class RabbitSimpleManualContractTest extends RabbitContract {

    RabbitSimpleManualContractTest() {
        super("simple", "manual", ManualListeners.class);
    }
}
