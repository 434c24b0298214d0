package io.idem.cloudstream;

import org.springframework.messaging.Message;

/** The work for one message of a binding. */
@FunctionalInterface
interface MessageWork {

    void run(Message<?> message);
}
