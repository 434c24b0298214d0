/**
 * Share consumers of Kafka: start with {@code ShareRecordListener}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.kafka.share;

import org.jspecify.annotations.NullMarked;
