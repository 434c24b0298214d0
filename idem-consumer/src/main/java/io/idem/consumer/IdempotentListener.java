package io.idem.consumer;

import io.idem.InboxTransaction;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a listener method whose work is to take effect once for each idempotency key. Stands beside
 * {@code @RabbitListener}, {@code @KafkaListener} and their handler annotations, or on the {@code @Bean} method of a
 * function that Spring Cloud Stream binds, with the module {@code idem-cloud-stream}.
 *
 * <p>A duplicate of finished work is acknowledged without running the method; a duplicate of unfinished work is
 * deferred; an exception releases the key and goes on unchanged to the container's own retry and dead-letter policy.
 *
 * <p>The method must be reachable through Spring's proxy (not private, not final) and return {@code void} or an object.
 * All text attributes may contain placeholders, and bean expressions as in Spring's own listener annotations:
 * <code>#{__listener.scope}</code> is the value that the property {@code scope} of the listener's bean had when its
 * container was made. An empty attribute takes the value of {@code idem.scopes.<scope>.*}, {@code idem.consumer.*} or
 * {@code idem.*}, in this order. Durations are written {@code 30s} or {@code PT30S}.
 *
 * <p>May stand on annotations of an application's own, also beside {@code @KafkaListener} or {@code @RabbitListener};
 * its attributes are set there, or passed on with {@link org.springframework.core.annotation.AliasFor @AliasFor}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotentListener {

    /**
     * Name of this participant. Records under it are this consumer's alone, so the name is used by one listener of an
     * application only, and is stable: a renamed listener does not know what was done under the old name. Two beans of
     * one class have a scope each by <code>#{__listener.scope}</code>.
     */
    String scope();

    /**
     * Whether the work runs inside the transaction of the application's {@link io.idem.Inbox}. With
     * {@code idem.store=inbox} every listener does, whatever this says. {@code @Transactional} on the listener joins that
     * transaction, and may ask for nothing more.
     */
    boolean inbox() default false;

    /**
     * The part of the work for which the transaction of the inbox is open. With {@link InboxTransaction#LAST_PHASE} the method runs its
     * {@linkplain io.idem.IdempotencyContext#step steps} without a transaction and writes in
     * {@link io.idem.IdempotencyContext#inTransaction}; {@code @Transactional} on it is refused. Needs an {@link #inbox}.
     */
    InboxTransaction transaction() default InboxTransaction.WHOLE;

    /**
     * SpEL for the key, instead of the headers. Sees {@code headers}, {@code args}, {@code message} (the transport's
     * own) and the method's parameters by name, for example {@code #order.id()} or {@code headers['order-id']}.
     */
    String key() default "";

    /**
     * Fields whose digest is the key, instead of the headers: for messages that carry no key but say what they are
     * about. Each is a JSON pointer into the body, {@code /order/id}, or {@code name=SpEL} as for {@link #key()}. All
     * must be present and be texts, numbers or booleans; a message that lacks one has an invalid key and fails like any
     * poison message. Renaming a field, or moving its pointer, changes every key.
     */
    String[] keyFields() default {};

    /** Places where the key is looked for, in this order, instead of {@code idem.consumer.key-sources}. */
    KeySource[] keySources() default {};

    /**
     * The part of a message by which the payloads of two messages under one key are compared. A message whose
     * fingerprint differs from that of its key's first message never runs and becomes a dead letter. If this attribute
     * is changed, later copies of recorded messages look like other payloads.
     */
    FingerprintSource fingerprint() default FingerprintSource.HEADER;

    /**
     * Fields of a JSON body that are compared instead of {@link #fingerprint}, as JSON pointers such as
     * {@code /amount}: for producers that change other fields, such as a timestamp, when they send a message again.
     * Each must be a text, a number or a boolean; one that is missing or null counts as absent. A body that is no JSON
     * is refused like an invalid key. A change of the fields is like a change of {@link #fingerprint}.
     */
    String[] fingerprintFields() default {};

    /** Time that a grant lasts without renewal. */
    String lease() default "";

    /** Time that a settled record is kept; longer than the latest redelivery, redrive or rewind that is allowed. */
    String retention() default "";

    /** Number of grants after which a message is dead-lettered; 0 for no limit. */
    String maxAttempts() default "";

    /** Name of the {@link MissingKeyPolicy} for messages without a key. */
    String missingKey() default "";

    /**
     * Whether the tenant header is believed; {@code false} takes every key as one of
     * {@value io.idem.IdempotencyKey#DEFAULT_TENANT}.
     */
    String trustTenant() default "";

    /**
     * Exceptions, with their subclasses and also as causes, that mean that the message can never succeed. The record is
     * rejected, and the message and every later duplicate of it are dead-lettered. The most specific class of
     * {@code rejectOn} and {@link #retryOn} wins.
     */
    Class<? extends Throwable>[] rejectOn() default {};

    /** Exceptions that a retry may cure, although a superclass or cause of theirs is in {@link #rejectOn}. */
    Class<? extends Throwable>[] retryOn() default {};

    /**
     * SpEL over {@code #result}, the value that the method returned: true means that the message can never succeed.
     * Without an {@link #inbox}, the method's own commits stay.
     */
    String rejectIf() default "";

    /**
     * SpEL over {@code #result}: true means that the work took no effect and is to run again, after {@link #backoff} if
     * there is one. Needs a limit of attempts. Without an {@link #inbox}, the method's own commits stay: use it only
     * for work that committed nothing.
     */
    String retryIf() default "";

    /**
     * First delay of the key after a failed attempt; each later one is longer. With it idem owns the retry: a failure
     * that is not final does not reach the container, and the message is deferred until the delay is over. Needs a
     * limit of attempts. Without it, the container's own retry and back-off act.
     */
    String backoff() default "";

    /** Upper limit of the delays. */
    String longestBackoff() default "";

    /** Name of the {@link io.idem.TakeoverMode} for an earlier attempt whose outcome is unknown. */
    String takeover() default "";

    /** Name of the {@link io.idem.Reconciler} bean for {@code takeover = "reconcile"}; the only one if empty. */
    String reconciler() default "";

    /** Whether the listener's thread is interrupted when the lease is lost: {@code true} or {@code false}. */
    String interruptOnLostLease() default "";
}
