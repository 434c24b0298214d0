package io.idem.consumer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a listener method whose work is to take effect once for each idempotency key. Stands beside
 * {@code @RabbitListener}, {@code @KafkaListener} and their handler annotations.
 *
 * <p>A duplicate of finished work is acknowledged without running the method; a duplicate of unfinished work is deferred; an
 * exception gives the key back and goes on unchanged to the container's own retry and dead-letter policy.
 *
 * <p>The method must be reachable through Spring's proxy (not private, not final) and return {@code void} or an object. All
 * text attributes may contain placeholders; an empty one takes the value of {@code idem.consumer.*} or {@code idem.*}.
 * Durations are written {@code 30s} or {@code PT30S}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotentListener {

    /**
     * This participant's name: what is stored under it is this consumer's and nobody else's. Stable, because renaming it
     * forgets what was done, and used by one listener of an application only.
     */
    String scope();

    /** Whether the work runs inside the transaction of the application's {@link io.idem.spi.Inbox}. */
    boolean inbox() default false;

    /**
     * SpEL for the key, instead of the headers. Sees {@code headers}, {@code args}, {@code message} (the transport's own) and
     * the method's parameters by name, for example {@code #order.id()} or {@code headers['order-id']}.
     */
    String key() default "";

    /** How long a grant lasts without renewal. */
    String lease() default "";

    /** How long a settled record is kept; longer than the latest redelivery, redrive or rewind that is allowed. */
    String retention() default "";

    /** Number of grants after which a message is dead-lettered; 0 for no limit. */
    String maxAttempts() default "";

    /** What happens to a message without a key: the name of a {@link MissingKeyPolicy}. */
    String missingKey() default "";

    /**
     * Whether the tenant header is believed; {@code false} takes every key as one of
     * {@value io.idem.IdempotencyKey#DEFAULT_TENANT}.
     */
    String trustTenant() default "";

    /**
     * Exceptions that mean that the message can never succeed. The record is rejected, and the message and every later
     * duplicate of it are dead-lettered.
     */
    Class<? extends Throwable>[] rejectOn() default {};
}
