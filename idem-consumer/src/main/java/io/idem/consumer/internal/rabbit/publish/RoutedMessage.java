package io.idem.consumer.internal.rabbit.publish;

import org.springframework.amqp.core.Message;

/** A message whose sender says, whatever its template is set to, whether it comes back if no queue takes it. */
public final class RoutedMessage extends Message {

    private static final long serialVersionUID = 1;

    private final boolean mandatory;

    /** Makes a message with the body and the properties of another one, which are not copied. */
    public RoutedMessage(Message message, boolean mandatory) {
        super(message.getBody(), message.getMessageProperties());
        this.mandatory = mandatory;
    }

    public boolean mandatory() {
        return mandatory;
    }
}
