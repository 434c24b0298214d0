/** Compares promises to clients with the ledger, the dead letters and the brokers. Independent of idem. */
@NullMarked
package io.idem.workshop.chaos.check;

import org.jspecify.annotations.NullMarked;
