package io.idem.workshop.simulation.world;

import org.springframework.amqp.core.Message;

/** The interface of the listener bean, which the container calls. */
@FunctionalInterface
public interface Payments {

    /** Does the work of one message. */
    String pay(Message message);
}
