package io.idem.consumer.internal.rabbit.publish;

import io.idem.spi.Stages;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.CorrelationData;

/** The broker's answer to a message that was published as mandatory, with a confirm. */
public final class Confirmations {

    private Confirmations() {}

    /**
     * Passes the broker's answer on to the awaited data, where an application's post-processor has put other data in
     * its place.
     *
     * @param sent with the message
     * @param awaited null if the answer is not awaited
     * @return the data to send
     */
    public static CorrelationData answering(CorrelationData sent, @Nullable CorrelationData awaited) {
        if (awaited != null && awaited != sent) {
            Stages.copy(
                    sent.getFuture().whenComplete((confirm, failure) -> {
                        ReturnedMessage returned = sent.getReturned();
                        if (returned != null) {
                            awaited.setReturned(returned);
                        }
                    }),
                    awaited.getFuture());
        }
        return sent;
    }
}
