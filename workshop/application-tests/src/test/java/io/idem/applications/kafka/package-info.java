/** Kafka applications, each in its own package. */
@NullMarked
package io.idem.applications.kafka;

import org.jspecify.annotations.NullMarked;
