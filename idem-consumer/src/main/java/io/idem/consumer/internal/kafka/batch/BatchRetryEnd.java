package io.idem.consumer.internal.kafka.batch;

import org.springframework.kafka.listener.BatchListenerFailedException;

/**
 * Ends the container's retry of a whole batch in place, because one record is to be handled by itself. The retry takes
 * every exception for another failure of the whole batch, and would hand records in progress, and records that are
 * done, to the recoverer in the end; only an error gets out of it. Never leaves {@link
 * io.idem.consumer.internal.kafka.container.InProgressErrorHandler InProgressErrorHandler}.
 */
public final class BatchRetryEnd extends Error {

    private final RuntimeException thrown;

    private BatchRetryEnd(RuntimeException thrown) {
        super("A record of the batch is to be handled by itself", thrown, false, false);
        this.thrown = thrown;
    }

    /** Returns the call of the listener, which ends the retry when it fails with an exception about one record. */
    public static Runnable watching(Runnable invokeListener) {
        return () -> {
            try {
                invokeListener.run();
            } catch (RuntimeException failure) {
                BatchListenerFailedException named = FailedConsumerRecord.named(failure);
                if (named != null && named.getRecord() != null) {
                    throw new BatchRetryEnd(failure);
                }
                throw failure;
            }
        };
    }

    public RuntimeException thrown() {
        return thrown;
    }
}
