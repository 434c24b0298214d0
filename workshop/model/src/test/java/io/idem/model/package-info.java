/** Checks the model of the protocol, and that the model can fail. */
@NullMarked
package io.idem.model;

import org.jspecify.annotations.NullMarked;
