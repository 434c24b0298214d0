/** The idempotency contexts of a listener, where {@link io.idem.IdempotencyContext#current()} is not enough. */
@NullMarked
package io.idem.consumer.context;

import org.jspecify.annotations.NullMarked;
