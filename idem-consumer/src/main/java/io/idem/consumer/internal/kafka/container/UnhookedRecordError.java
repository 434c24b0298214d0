package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ListenerConfigurationException;

/**
 * Ends a consumer that delivers records to an idempotent listener without a delivery hook. An error, since spring-kafka
 * stops a container for one without committing; an exception would go to its error handler, which skips the record in
 * the end.
 */
final class UnhookedRecordError extends Error {

    private static final long serialVersionUID = 1;

    UnhookedRecordError(ListenerConfigurationException refusal) {
        super(refusal);
    }
}
