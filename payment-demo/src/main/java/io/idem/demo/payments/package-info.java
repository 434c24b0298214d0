/** Payments: the queue they come on, the listener that charges, the event it publishes. */
@NullMarked
package io.idem.demo.payments;

import org.jspecify.annotations.NullMarked;
