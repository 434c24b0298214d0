/**
 * Messages: {@link io.idem.consumer.IdempotentListener} runs a listener method once for its key and scope, on every transport.
 *
 * <p>Two parts work together. The deciding interceptor sits around the method and asks the engine; the delivery hook of a
 * transport sits around the whole delivery and settles it with the broker. They meet in a {@link io.idem.consumer.Delivery}.
 */
@NullMarked
package io.idem.consumer;

import org.jspecify.annotations.NullMarked;
