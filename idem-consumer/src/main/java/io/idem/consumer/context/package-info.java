/**
 * The idempotency contexts of a listener, where {@link io.idem.IdempotencyContext#current()} is not enough: start with
 * {@code BatchContexts}.
 */
@NullMarked
package io.idem.consumer.context;

import org.jspecify.annotations.NullMarked;
