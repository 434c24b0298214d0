/**
 * Many messages in one call of a listener method: start with {@code BatchListener}. For the other packages of this
 * module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.batch;

import org.jspecify.annotations.NullMarked;
