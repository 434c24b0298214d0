/**
 * The delivery hook in the containers of {@code @KafkaListener} methods, and the checks of their configuration: start
 * with {@code KafkaHookInstaller}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.consumer.internal.kafka.container;

import org.jspecify.annotations.NullMarked;
