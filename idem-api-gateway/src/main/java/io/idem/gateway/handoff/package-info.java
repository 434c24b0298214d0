/** Publishes an accepted request and waits for the broker's confirm. Start with {@link io.idem.gateway.handoff.HandOff}. */
@NullMarked
package io.idem.gateway.handoff;

import org.jspecify.annotations.NullMarked;
