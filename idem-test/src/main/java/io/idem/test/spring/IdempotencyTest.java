package io.idem.test.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets up a test beside {@code @SpringBootTest}: the application keeps its records in memory, on a clock that the test
 * moves, and needs neither Redis nor, unless {@link #brokers} says so, RabbitMQ or Kafka. Records are removed before
 * every test method.
 *
 * <p>Tests may then inject {@link io.idem.test.TestIdempotency}, and depending on the application
 * {@link io.idem.test.rabbit.RabbitDeliveries}, {@link io.idem.test.kafka.KafkaDeliveries},
 * {@link io.idem.test.http.MockMvcRequests} and {@link io.idem.test.http.WebTestClientRequests}. The near cache is
 * switched off.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotencyTest {

    /**
     * Whether listener containers start, for tests with a broker of their own. By default they stay stopped, and
     * messages come from the test alone.
     */
    boolean brokers() default false;
}
