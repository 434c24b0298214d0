/**
 * One delivery, as the transport's hook and the deciding half both see it.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.delivery;

import org.jspecify.annotations.NullMarked;
