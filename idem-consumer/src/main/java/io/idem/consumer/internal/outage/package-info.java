/**
 * A silent store: how long deliveries pause, and who is notified. Start with {@code StoreOutages}.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.outage;

import org.jspecify.annotations.NullMarked;
