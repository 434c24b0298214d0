/**
 * Waiting for the outcome of an operation at its consumers, as the intake does before it answers with the status. Start with
 * {@link io.idem.http.outcome.OutcomeWatch}.
 */
@NullMarked
package io.idem.http.outcome;

import org.jspecify.annotations.NullMarked;
