/**
 * A store that does not answer: how long deliveries pause, and who is told.
 *
 * <p>For the other packages of this module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.outage;

import org.jspecify.annotations.NullMarked;
