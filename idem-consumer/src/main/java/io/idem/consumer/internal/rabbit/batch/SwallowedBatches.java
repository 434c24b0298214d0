package io.idem.consumer.internal.rabbit.batch;

import java.util.List;
import org.aopalliance.aop.Advice;
import org.springframework.amqp.rabbit.config.StatefulRetryOperationsInterceptor;
import org.springframework.amqp.rabbit.config.StatelessRetryOperationsInterceptor;
import org.springframework.amqp.rabbit.retry.MessageBatchRecoverer;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;

/**
 * Settlement of a failed batch whose failure never arrived. spring-rabbit 4.1.1 hands batches to a
 * {@link MessageBatchRecoverer} only: with any other recoverer, Boot's default among them, a batch whose retries are
 * used up is dropped silently.
 *
 * @param chain the application's own advices
 * @param recoverers the application's own recoverers
 */
public record SwallowedBatches(List<Advice> chain, List<MessageRecoverer> recoverers) {

    /** Returns whether retries are counted by message: of a batch, only the first one would count. */
    public boolean countsByMessage() {
        return chain.stream().anyMatch(StatefulRetryOperationsInterceptor.class::isInstance);
    }

    /**
     * Returns ACKNOWLEDGE if an advice or recoverer of the application took the batch over; REJECT, as Boot's default
     * does with single messages, if there is no recoverer; REQUEUE if there is one that was never called.
     */
    public FailedBatchPolicy.Disposition disposition() {
        boolean retries = chain.stream().anyMatch(StatelessRetryOperationsInterceptor.class::isInstance);
        if (!retries || recoverers.stream().anyMatch(MessageBatchRecoverer.class::isInstance)) {
            return FailedBatchPolicy.Disposition.ACKNOWLEDGE;
        }
        return recoverers.isEmpty() ? FailedBatchPolicy.Disposition.REJECT : FailedBatchPolicy.Disposition.REQUEUE;
    }
}
