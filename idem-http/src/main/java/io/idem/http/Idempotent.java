package io.idem.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Protects a controller's handler method, or all of a controller's, by the idempotency key. What is not said here is as configured
 * under {@code idem.http}. A method of GET, HEAD, OPTIONS or TRACE is refused at start-up when annotated itself, and left alone when
 * its class is.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /** Whether a request without a key is refused; default true. Without it, such a request runs unprotected. */
    boolean required() default true;

    /** Scope of the records; default {@code idem.http.scope}. */
    String scope() default "";

    /** How long a duplicate of a running request waits for its answer before it gets 409, as in {@code 5s}; default not at all. */
    String waitFor() default "";

    /** Whether the handler only hands work off to a broker and has the broker's confirmation when it returns; default false. */
    boolean handOff() default false;

    /**
     * Whether the handler runs inside a transaction of the application's {@link io.idem.Outbox}, which also keeps its answer and the
     * messages that it publishes; default false. For handlers of servlet applications that end on the thread they are called on.
     */
    boolean inbox() default false;

    /** Number of attempts after which the key is exhausted, 0 for no limit; default, -1, that of the scope. */
    int maxAttempts() default -1;
}
