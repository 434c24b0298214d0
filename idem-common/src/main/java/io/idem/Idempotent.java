package io.idem;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method take effect once for each idempotency key: a handler of HTTP requests, or a method of any other Spring bean, such as a
 * service, a scheduled method or an event listener. Listeners of messages have an annotation of their own, {@code IdempotentListener}.
 *
 * <p>On a <b>handler of HTTP requests</b>, or on its controller for all handlers, the key is in the request, and everything else is as
 * configured under {@code idem.http}. A handler method of GET, HEAD, OPTIONS or TRACE is refused at start-up if it is annotated itself, and
 * stays unprotected if its class is annotated.
 *
 * <p>On a <b>method of another bean</b> a call is answered with the value of the first one that returned, without running the method. A call
 * that neither runs the method nor has such an answer ends in an exception, on the thread of a RabbitMQ container after a wait for a key
 * that is in progress: {@link KeyInProgressException}, {@link KeyReusedException},
 * {@link WorkRejectedException}, {@link StoreUnavailableException}, or a {@link ResultCodecException} if the value was not kept. An exception
 * of the method is passed on unchanged and frees the key. {@code @Transactional} on the method commits before the call is recorded as done;
 * {@code @Async} starts its thread first. The call must not come from inside a transaction that would commit later. A method that returns a
 * {@link java.util.concurrent.CompletableFuture} is done when that ends; the calling thread waits for the store's grant only.
 *
 * <p>The method is guarded by Spring's proxy: a call from within the same object is not seen. Private, static and final methods, and
 * return types whose work begins later, such as {@code Mono}, are refused at start-up. Inside, the attempt is
 * {@link IdempotencyContext#current()}.
 *
 * <p>Attributes of the one kind of method are refused at start-up on the other kind. Durations are written {@code 30s} or {@code PT30S}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /**
     * Returns whether a request without a key is refused; default true. If false, such a request runs unprotected. Only for handlers of HTTP
     * requests: a call of another method without a key is always refused.
     */
    boolean required() default true;

    /**
     * Returns the scope of the records; default {@code idem.http.scope} for handlers of HTTP requests. Other methods need one, which no other
     * method or listener of the application has, and which may be a placeholder. A method whose scope is renamed does not know what was done
     * under the old name.
     */
    String scope() default "";

    /**
     * Returns the longest time that a duplicate of a running request waits for its answer before it is refused, for example {@code 5s};
     * default no wait. Only for handlers of HTTP requests.
     */
    String waitFor() default "";

    /**
     * Returns whether the handler only hands work off to a broker and has the broker's confirmation when it returns; default false. Only for
     * handlers of HTTP requests.
     */
    boolean handOff() default false;

    /**
     * Returns whether the method runs inside a transaction of the application's {@link Inbox}, or {@link Outbox} for handlers of HTTP
     * requests, which also keeps its answer and the messages that it publishes; default false. With {@code idem.store=inbox} every method
     * does, whatever this says. Only for servlet applications, and for methods that end on the thread on which they are called.
     */
    boolean inbox() default false;

    /**
     * Returns the part of the work for which the transaction of the inbox is open; default all of it. With
     * {@link InboxTransaction#LAST_PHASE} the method runs its {@linkplain IdempotencyContext#step steps} without a transaction and
     * writes in {@link IdempotencyContext#inTransaction}; {@code @Transactional} on it is refused. Needs an {@link #inbox}.
     */
    InboxTransaction transaction() default InboxTransaction.WHOLE;

    /** Returns the number of attempts after which the key is exhausted, 0 for no limit; default -1, the number of the scope. */
    int maxAttempts() default -1;

    /**
     * Returns the key as SpEL over the method's parameters, by name or as {@code args[0]}, for example {@code #order.id()}. Its value is a
     * text, an integral number, a UUID, a date or an enum constant; anything else is refused with an {@link InvalidKeyException}. All callers
     * share one tenant, so the expression names the tenant where two of them may have one value.
     *
     * <p>May be left out on a {@code @Scheduled} method with {@code cron} or {@code fixedRate}. Its key is then the time for which the
     * schedule called it, so that of all instances at most one runs it for each time. Where another instance is running it, the scheduler's
     * own call returns and does nothing; every other call ends in a {@link KeyInProgressException}. Not for handlers of HTTP requests.
     */
    String key() default "";

    /**
     * Returns SpEL over the method's parameters for what must be alike in all calls with one key, for example {@code {#amount, #currency}}: a
     * text, number, boolean, date, or a list of them. A call for which it differs is refused with a {@link KeyReusedException}; default
     * nothing is compared. Not for handlers of HTTP requests.
     */
    String fingerprint() default "";

    /** Returns the time that a grant lasts without renewal; default that of the scope. Not for handlers of HTTP requests. */
    String lease() default "";

    /** Returns the time that a settled record is kept; default that of the scope. Not for handlers of HTTP requests. */
    String retention() default "";

    /**
     * Returns exceptions, with their subclasses and also as causes, that mean that the method can never succeed with this key: every later
     * call gets a {@link WorkRejectedException}. The most specific class of {@code rejectOn} and {@link #retryOn} wins. Not for handlers of
     * HTTP requests.
     */
    Class<? extends Throwable>[] rejectOn() default {};

    /**
     * Returns exceptions that another call may cure, although a superclass or cause of theirs is in {@link #rejectOn}. Not for handlers of
     * HTTP requests.
     */
    Class<? extends Throwable>[] retryOn() default {};

    /**
     * Returns the name of the {@link TakeoverMode} for an earlier attempt whose outcome is unknown; default that of the scope. Not for
     * handlers of HTTP requests.
     */
    String takeover() default "";

    /**
     * Returns the name of the {@link Reconciler} bean for {@code takeover = "reconcile"}; default the only one. Not for handlers of HTTP
     * requests.
     */
    String reconciler() default "";
}
