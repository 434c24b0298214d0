package io.idem.consumer.internal.rabbit.batch;

import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.util.ErrorHandler;

/**
 * Settlement of failed batches as a container in mode AUTO would settle them, for messages that are settled one by one.
 * A container settles a batch by its last tag alone, and closes the channel if that is settled already. So it gets the
 * mode MANUAL, and its error handler, whose answer decides, is called here, before the messages are settled.
 * Thread-safe.
 */
public final class FailedBatchPolicy {

    private static final Log LOG = LogFactory.getLog(FailedBatchPolicy.class);

    /** Settlement of a failed message. */
    public enum Disposition {
        ACKNOWLEDGE,
        REQUEUE,
        REJECT
    }

    private final SimpleMessageListenerContainer container;
    private final ErrorHandler errorHandler;
    private final boolean requeuesRejected;
    private final Disposition swallowed;

    private FailedBatchPolicy(SimpleMessageListenerContainer container, Disposition swallowed) {
        this.container = container;
        this.errorHandler = container.getErrorHandler();
        this.requeuesRejected = new ContainerFacts(container).requeuesRejected();
        this.swallowed = swallowed;
    }

    /**
     * Takes the settling of batches over from a container that has not started.
     *
     * @param swallowed settlement of messages whose failure does not arrive
     */
    public static FailedBatchPolicy of(SimpleMessageListenerContainer container, Disposition swallowed) {
        FailedBatchPolicy policy = new FailedBatchPolicy(container, swallowed);
        container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
        container.setEnforceImmediateAckForManual(false);
        container.setErrorHandler(failure -> LOG.debug("The error handler was asked before", failure));
        return policy;
    }

    /** Settlement of messages whose listener failed, while no failure arrived. */
    Disposition swallowed() {
        return swallowed;
    }

    public Disposition of(Throwable failure) {
        Throwable answer = answer(failure);
        if (ContainerUtils.isImmediateAcknowledge(answer)) {
            return Disposition.ACKNOWLEDGE;
        }
        return ContainerUtils.shouldRequeue(requeuesRejected, answer, LOG) ? Disposition.REQUEUE : Disposition.REJECT;
    }

    /** Returns the error handler's answer; a container that stops does not call it. */
    private Throwable answer(Throwable failure) {
        if (!container.isActive()) {
            return failure;
        }
        try {
            errorHandler.handleError(failure);
            return failure;
        } catch (RuntimeException replaced) {
            return replaced;
        }
    }

    /**
     * Returns the exception for the container once the messages are settled: any other kind would restart the consumer,
     * and one that asks for a rejection would make the container settle again.
     */
    static ListenerExecutionFailedException settled(Throwable failure, List<Message> messages) {
        if (failure instanceof ListenerExecutionFailedException known && !ContainerUtils.isRejectManual(known)) {
            return known;
        }
        ListenerExecutionFailedException settled = new ListenerExecutionFailedException(
                "A batch failed, and its messages are settled: " + failure.getMessage(),
                new IllegalStateException(failure.toString()),
                messages.toArray(Message[]::new));
        settled.addSuppressed(failure);
        return settled;
    }
}
