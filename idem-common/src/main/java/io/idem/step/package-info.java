/**
 * Steps: parts of a piece of work whose results are remembered, so that a later attempt does not repeat them. Open
 * {@link io.idem.step.Step} first.
 */
@NullMarked
package io.idem.step;

import org.jspecify.annotations.NullMarked;
