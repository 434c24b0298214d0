package io.idem.consumer.rabbit;

class RabbitSimpleAutoContractTest extends RabbitContract {

    RabbitSimpleAutoContractTest() {
        super("simple", "auto", AutoListeners.class);
    }
}
