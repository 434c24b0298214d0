/** A batch listener. */
@NullMarked
package io.idem.applications.kafka.batches;

import org.jspecify.annotations.NullMarked;
