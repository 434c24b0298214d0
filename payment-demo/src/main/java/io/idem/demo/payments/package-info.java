/** Payments: their queue, the listener that charges accounts, and the event that it publishes. */
@NullMarked
package io.idem.demo.payments;

import org.jspecify.annotations.NullMarked;
