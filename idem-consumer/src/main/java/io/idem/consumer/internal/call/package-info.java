/**
 * A single message in one call of a listener method, from its key to its decision: start with
 * {@code IdempotentListeners}.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.call;

import org.jspecify.annotations.NullMarked;
