package io.idem;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Protects a handler method, or all handler methods of a controller, by the idempotency key. Everything else is as configured under
 * {@code idem.http}. A handler method of GET, HEAD, OPTIONS or TRACE is refused at start-up if it is annotated itself, and stays
 * unprotected if its class is annotated.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /** Returns whether a request without a key is refused; default true. If false, such a request runs unprotected. */
    boolean required() default true;

    /** Returns the scope of the records; default {@code idem.http.scope}. */
    String scope() default "";

    /**
     * Returns the longest time that a duplicate of a running request waits for its answer before it gets 409, for example {@code 5s};
     * default no wait.
     */
    String waitFor() default "";

    /**
     * Returns whether the handler only hands work off to a broker and has the broker's confirmation when it returns; default false.
     */
    boolean handOff() default false;

    /**
     * Returns whether the handler runs inside a transaction of the application's {@link Outbox}, which also keeps its answer and
     * the messages that it publishes; default false. With {@code idem.store=inbox} every handler does, whatever this says. Only for servlet
     * applications, and for handlers that end on the thread on which they are called.
     */
    boolean inbox() default false;

    /**
     * Returns the part of the work for which the transaction of the inbox is open; default all of it. With
     * {@link InboxTransaction#LAST_PHASE} the handler runs its {@linkplain IdempotencyContext#step steps} without a transaction and
     * writes in {@link IdempotencyContext#inTransaction}; {@code @Transactional} on it is refused. Needs an {@link #inbox}.
     */
    InboxTransaction transaction() default InboxTransaction.WHOLE;

    /** Returns the number of attempts after which the key is exhausted, 0 for no limit; default -1, the number of the scope. */
    int maxAttempts() default -1;
}
