/** Checks the model of the protocol, and that faulty models are detected. */
@NullMarked
package io.idem.model;

import org.jspecify.annotations.NullMarked;
