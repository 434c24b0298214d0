/**
 * Messages: {@link io.idem.consumer.IdempotentListener} runs a listener method once for its key and scope, on every
 * transport. Start with that annotation; {@link io.idem.consumer.ConsumerSettings} has the settings behind it.
 *
 * <p>This package is what applications write, read and implement. Two parts do the work, and meet in a
 * {@code Delivery}: a transport's hook sits around the whole delivery and settles it with the broker; the deciding
 * interceptor sits around the method and asks the engine. A message goes through them in this order:
 *
 * <ol>
 *   <li>{@code rabbit}, {@code kafka}: a delivery hook takes it from the container
 *   <li>{@code delivery}: the state that hook and interceptor share, and the decision in the end
 *   <li>{@code guard}: the advisor around the bean's method
 *   <li>{@code call}: a call of the method, from its key to its decision; {@code batch}: a call for many messages
 *   <li>{@code definition}: the settings of the annotated method; {@code key}: where the key is
 *   <li>{@code outage}: a silent store
 * </ol>
 *
 * <p>None of those packages is for applications; a package knows only those that stand lower in
 * {@code ArchitectureTest}.
 */
@NullMarked
package io.idem.consumer;

import org.jspecify.annotations.NullMarked;
