/**
 * Settings of the RabbitMQ transport for applications, how long and where deliveries are deferred: start with
 * {@code DeferralSettings}.
 */
@NullMarked
package io.idem.consumer.rabbit;

import org.jspecify.annotations.NullMarked;
