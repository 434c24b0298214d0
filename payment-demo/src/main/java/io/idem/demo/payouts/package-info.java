/** Payouts: the topic they come on and the listener that transfers them. */
@NullMarked
package io.idem.demo.payouts;

import org.jspecify.annotations.NullMarked;
