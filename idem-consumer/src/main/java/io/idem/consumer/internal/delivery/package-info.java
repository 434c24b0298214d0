/**
 * A delivery, as the transport's hook and the deciding interceptor both see it: start with {@code Delivery} and
 * {@code DeliveryDecision}.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.delivery;

import org.jspecify.annotations.NullMarked;
