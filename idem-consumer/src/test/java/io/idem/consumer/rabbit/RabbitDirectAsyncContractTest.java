package io.idem.consumer.rabbit;

import org.junit.jupiter.api.Tag;

@Tag("extended")
class RabbitDirectAsyncContractTest extends RabbitContract {

    RabbitDirectAsyncContractTest() {
        super("direct", "auto", AsyncListeners.class);
    }

    /** A future that fails is rejected at once: the container's retry has returned long ago. */
    @Override
    protected boolean retriesFailures() {
        return false;
    }
}
