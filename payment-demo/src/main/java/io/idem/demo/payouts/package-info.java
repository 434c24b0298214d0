/** Payouts: their topic, and the listener that transfers the money. */
@NullMarked
package io.idem.demo.payouts;

import org.jspecify.annotations.NullMarked;
