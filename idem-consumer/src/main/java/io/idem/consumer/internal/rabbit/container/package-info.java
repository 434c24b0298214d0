/**
 * The delivery hook in the containers of {@code @RabbitListener} methods, and the checks of their configuration: start
 * with {@code RabbitHookInstaller}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.rabbit.container;

import org.jspecify.annotations.NullMarked;
