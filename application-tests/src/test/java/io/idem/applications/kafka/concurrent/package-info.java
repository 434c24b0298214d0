/** Two consumers. */
@NullMarked
package io.idem.applications.kafka.concurrent;

import org.jspecify.annotations.NullMarked;
