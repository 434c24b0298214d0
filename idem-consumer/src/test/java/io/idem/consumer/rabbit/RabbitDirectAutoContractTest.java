package io.idem.consumer.rabbit;

class RabbitDirectAutoContractTest extends RabbitContract {

    RabbitDirectAutoContractTest() {
        super("direct", "auto", AutoListeners.class);
    }
}
