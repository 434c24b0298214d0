/** A record filter that lets everything pass. */
@NullMarked
package io.idem.applications.kafka.filtered;

import org.jspecify.annotations.NullMarked;
