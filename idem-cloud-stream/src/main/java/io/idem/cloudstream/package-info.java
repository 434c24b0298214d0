/**
 * Functions of Spring Cloud Stream: start with {@code GuardedBindings}, which finds the bindings to guard. A
 * {@code GuardedBinding} stands between an adapter of a binder and the binding's channel, where the deciding half of idem
 * is asked, inside the binder's retries; the adapter's container gets the same delivery hook as that of any listener.
 *
 * <p>Nothing here is for applications.
 */
@NullMarked
package io.idem.cloudstream;

import org.jspecify.annotations.NullMarked;
