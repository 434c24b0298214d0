/** Holds what clients were promised against the ledger, the dead letters and the brokers. Knows nothing of idem. */
@NullMarked
package io.idem.workshop.chaos.check;

import org.jspecify.annotations.NullMarked;
