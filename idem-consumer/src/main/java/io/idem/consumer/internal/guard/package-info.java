/**
 * The proxies around listener beans, and the refusal of those that cannot be guarded: start with
 * {@code IdempotentListenerAdvisor}.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.guard;

import org.jspecify.annotations.NullMarked;
