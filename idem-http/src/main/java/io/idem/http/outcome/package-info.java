/** Waiting for what becomes of an operation at its consumers: for answers of the intake, and for services of one's own. */
@NullMarked
package io.idem.http.outcome;

import org.jspecify.annotations.NullMarked;
