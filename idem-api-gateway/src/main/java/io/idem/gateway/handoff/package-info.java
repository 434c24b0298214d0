/**
 * Publishes an accepted request and waits for the broker's confirm. Open {@link io.idem.gateway.handoff.HandOff} first.
 */
@NullMarked
package io.idem.gateway.handoff;

import org.jspecify.annotations.NullMarked;
