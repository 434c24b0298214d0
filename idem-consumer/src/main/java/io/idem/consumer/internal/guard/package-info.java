/**
 * What puts the deciding half around listener beans, and refuses those that cannot be guarded.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.guard;

import org.jspecify.annotations.NullMarked;
