/**
 * RabbitMQ: one delivery hook for {@code @RabbitListener} containers, headers on what is published, and confirmed publishing.
 */
@NullMarked
package io.idem.consumer.rabbit;

import org.jspecify.annotations.NullMarked;
