/**
 * The idempotency key of a message, from its headers, a CloudEvent, its body or an expression: start with
 * {@code KeyReader}.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.key;

import org.jspecify.annotations.NullMarked;
