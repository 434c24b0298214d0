/** A listener that acknowledges by hand. */
@NullMarked
package io.idem.applications.kafka.manual;

import org.jspecify.annotations.NullMarked;
