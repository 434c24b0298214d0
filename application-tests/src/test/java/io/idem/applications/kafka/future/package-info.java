/** A listener that returns a future. */
@NullMarked
package io.idem.applications.kafka.future;

import org.jspecify.annotations.NullMarked;
