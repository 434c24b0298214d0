/**
 * Batch listeners of Kafka: start with {@code IdempotentBatchListener}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.kafka.batch;

import org.jspecify.annotations.NullMarked;
