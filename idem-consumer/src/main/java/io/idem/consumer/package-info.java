/**
 * Messages: {@link io.idem.consumer.IdempotentListener} runs a listener method once for its key and scope, on every transport.
 *
 * <p>This package is what applications write, read and implement. Two parts do the work, and meet in a {@code Delivery}: a transport's
 * hook sits around the whole delivery and settles it with the broker; the deciding half sits around the method and asks the engine.
 * A message goes through them in this order:
 *
 * <ol>
 *   <li>{@code rabbit}, {@code kafka}: a delivery hook takes it from the container
 *   <li>{@code delivery}: what hook and decision both know of it, and the decision in the end
 *   <li>{@code guard}: the advisor around the bean's method
 *   <li>{@code call}: one call of the method, from its key to its decision; {@code batch}: a call for many messages
 *   <li>{@code definition}: what the annotation asks for; {@code key}: where the key is
 *   <li>{@code outage}: a store that does not answer
 * </ol>
 *
 * <p>None of those packages is for applications; a package knows only those that stand lower in {@code ArchitectureTest}.
 */
@NullMarked
package io.idem.consumer;

import org.jspecify.annotations.NullMarked;
