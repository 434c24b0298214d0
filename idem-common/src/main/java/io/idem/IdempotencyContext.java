package io.idem;

import io.idem.step.LocalWork;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepException;
import io.idem.step.StepWork;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The running attempt as its work sees it: key, fence, number of the attempt, and whether it still owns the key.
 * Thread-safe.
 */
public interface IdempotencyContext {

    /** Returns the context of the work that the calling thread is running; empty outside such work. */
    static Optional<IdempotencyContext> current() {
        return Optional.ofNullable(CurrentContext.get());
    }

    /**
     * Returns the key of the work. Pass it to external systems that offer idempotency of their own; pass its
     * {@link IdempotencyKey#id() id} where they cannot tell your tenants apart, because two tenants may choose one
     * value.
     */
    IdempotencyKey key();

    /** Returns the scope of the work. */
    Scope scope();

    /** Returns the name of the work's record, whose text is fit for logs. */
    default RecordId record() {
        return new RecordId(key(), scope());
    }

    /** Returns the origin key: the client's key at which the trace of keys begins. */
    String root();

    /**
     * Returns the fencing token, which grows with every grant of the record. A downstream resource can refuse older
     * ones.
     */
    long fence();

    /** Returns the number of this grant of the record, from 1. */
    int attempt();

    /**
     * Returns whether the outcome of an earlier attempt is unknown because its lease ended before the record was
     * updated. Also true if there was an earlier attempt and the store's first answer, which told how it ended, was
     * lost. If this attempt fails, the next one is a retry, for which it is false.
     */
    boolean takeover();

    /**
     * Returns whether the lease is known to be live, by this machine's monotonic clock. Does not ask the store. Once
     * false, the answer stays false: the work must not commit.
     */
    boolean stillOwner();

    /**
     * Checks {@link #stillOwner()}, for use right before a commit.
     *
     * @throws LeaseLostException if the lease is not known to be live
     */
    void requireOwner();

    /**
     * Registers an action that runs when the lease is lost: a renewal was refused, or the local deadline passed without
     * a confirmed one. {@link #stillOwner()} is false from then on. The action runs at once if the lease is lost
     * already. It is not started after the work has ended, but may still be running then.
     *
     * @param action called at most once, on a thread of idem; must return quickly. Its exceptions are logged and
     *     ignored
     */
    void onLeaseLost(Runnable action);

    /**
     * Runs a step, or returns its result if an earlier attempt has done it; see {@link #step(Step, StepWork)}.
     *
     * @param name the name of the step, as for {@link Step#of(String, Class)}
     * @param type the type of the result
     */
    default <T, X extends Exception> T step(String name, Class<T> type, StepWork<T, X> work) throws X {
        return step(Step.of(name, type), work);
    }

    /**
     * Runs the step for one item of a loop, or returns its result; see {@link #step(Step, StepWork)}.
     *
     * @param item tells the item from the others, as for {@link Step#item}
     */
    default <T, X extends Exception> T step(String name, Object item, Class<T> type, StepWork<T, X> work) throws X {
        return step(Step.of(name, type).item(item), work);
    }

    /**
     * Runs a step, or returns its result if an earlier attempt has done it. The result is stored, and confirmed by the
     * store, before this method returns: what follows never builds on a result that another attempt would not see. Returned
     * is what was stored, read back as in a later attempt; a result that does not come back as it was rejects the record. An
     * exception of the work is not remembered and goes on unchanged. Steps of different ids may run at the same time.
     *
     * <p>Inside a step, calls to other services get keys of their own per step, and publishing is refused.
     *
     * @throws IllegalStateException if the id was used before in this attempt, inside another step, or if the transaction
     *     of an inbox is open, with which the step would be rolled back; the work of the step was not run
     * @throws StepException if the step has no result to return and must not run; see {@link StepException.Problem}
     * @throws LeaseLostException if another owner has taken the record over; the result of the step is dropped
     * @throws StoreUnavailableException if the store did not answer: before the work, or after it until the local end
     *     of the lease
     */
    <T, X extends Exception> T step(Step<T> step, StepWork<T, X> work) throws X;

    /**
     * Starts a step whose work ends in a stage, or returns its result if an earlier attempt has done it. Blocks no
     * thread for the store; otherwise as {@link #step(Step, StepWork)}, whose exceptions end the stage.
     *
     * @param work called on a thread of idem, with this context as {@link #current()} until it returns
     */
    <T> CompletionStage<T> stepAsync(Step<T> step, Function<StepContext, CompletionStage<T>> work);

    /**
     * Says that the answer to the present HTTP request is no result of its operation, whatever its status: nothing is
     * stored, the transaction of an inbox rolls back, and the next request with the key runs. For handlers that answer
     * a failure as they answer success, for example with an envelope of status 200. Does not ask the store.
     *
     * @throws IllegalStateException if the work is not an HTTP request's: other work says so by an exception
     */
    void answerIsNoResult();

    /**
     * Opens the transaction of the inbox and runs the writes of the attempt in it, once. For work whose transaction is its
     * {@linkplain InboxTransaction#LAST_PHASE last phase}. The transaction stays open until the work has ended, and commits only if
     * the work counts as done: so the row keeps what duplicates are answered with. Nothing but returning should follow.
     *
     * <p>An exception of {@code work} rolls the transaction back, and drops the messages published in it. Work that catches it
     * and ends in another way is recorded by the row alone. Work that never calls this method is, too.
     *
     * @throws IllegalStateException if the work has no inbox or its transaction is {@linkplain InboxTransaction#WHOLE open all the
     *     time}; if it is called twice, inside a step, or on another thread than the one that runs the work
     * @throws LeaseLostException if another attempt has done the work or has taken the record over; {@code work} was not
     *     run, and the caller of the attempt is answered as that one ended
     * @throws StoreUnavailableException if the database did not answer; the attempt is deferred
     */
    <T, X extends Exception> T inTransaction(LocalWork<T, X> work) throws X;

    /** Does the same for work without a result. */
    default void inTransaction(Runnable work) {
        var unused = this.<Boolean, RuntimeException>inTransaction(() -> {
            work.run();
            return true;
        });
    }

    /**
     * Runs a part of the work with this context as {@link #current()} on the calling thread. For parts that run on
     * another thread than the one on which the work began, such as later stages of asynchronous work.
     */
    default <V> V call(Callable<V> part) throws Exception {
        try (Binding unused = bind()) {
            return part.call();
        }
    }

    /**
     * Makes this context the {@link #current()} one of the calling thread until the binding is closed on the same
     * thread. For hooks whose begin and end are separate calls; use {@link #call} everywhere else.
     */
    default Binding bind() {
        return CurrentContext.bind(this);
    }

    /**
     * The binding of a context to a thread. Closing restores the context that was bound before; close it on every path.
     */
    @FunctionalInterface
    interface Binding extends AutoCloseable {

        @Override
        void close();
    }

    /** Returns the publications of this attempt; for transports. */
    Publications publications();
}
