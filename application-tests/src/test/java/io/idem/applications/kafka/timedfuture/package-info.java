/** A future with a time limit. */
@NullMarked
package io.idem.applications.kafka.timedfuture;

import org.jspecify.annotations.NullMarked;
