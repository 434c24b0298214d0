package io.idem.consumer.rabbit;

import org.junit.jupiter.api.Tag;

@Tag("extended")
class RabbitDirectLateContractTest extends RabbitContract {

    RabbitDirectLateContractTest() {
        super("direct", "auto", LateListeners.class);
    }

    /** A future that fails is rejected at once: the container's retry has returned long ago. */
    @Override
    protected boolean retriesFailures() {
        return false;
    }
}
