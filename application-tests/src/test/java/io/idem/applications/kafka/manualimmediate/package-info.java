/** A listener that acknowledges by hand, at once. */
@NullMarked
package io.idem.applications.kafka.manualimmediate;

import org.jspecify.annotations.NullMarked;
