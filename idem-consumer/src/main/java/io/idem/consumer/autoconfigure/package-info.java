/**
 * Spring Boot auto-configuration of the consumer module; backs off for every bean that an application defines. Start
 * with {@code IdemConsumerAutoConfiguration}, then the one of a transport: {@code IdemRabbitAutoConfiguration} or
 * {@code IdemKafkaAutoConfiguration}.
 */
@NullMarked
package io.idem.consumer.autoconfigure;

import org.jspecify.annotations.NullMarked;
