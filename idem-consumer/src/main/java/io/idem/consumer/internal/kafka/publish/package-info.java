/**
 * Publication of idem to Kafka, and the headers of records: start with {@code PropagatedRecord}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.kafka.publish;

import org.jspecify.annotations.NullMarked;
