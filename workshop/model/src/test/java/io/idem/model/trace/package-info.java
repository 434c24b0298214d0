/** Checks that the model of the protocol has a behaviour for what real runs did. */
@NullMarked
package io.idem.model.trace;

import org.jspecify.annotations.NullMarked;
