/** A listener that returns a Mono. */
@NullMarked
package io.idem.applications.kafka.mono;

import org.jspecify.annotations.NullMarked;
