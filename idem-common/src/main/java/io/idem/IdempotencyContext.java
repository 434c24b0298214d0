package io.idem;

import java.util.Optional;
import java.util.concurrent.Callable;

/** The attempt now running: its key, fence and attempt, and whether it still may commit. Thread-safe. */
public interface IdempotencyContext {

    /** The context of the work that the calling thread is running; empty outside such work. */
    static Optional<IdempotencyContext> current() {
        return Optional.ofNullable(CurrentContext.get());
    }

    /**
     * The key; pass it to external systems that offer idempotency of their own: its {@link IdempotencyKey#id() id} where they cannot tell
     * your tenants apart, for two tenants may choose one value.
     */
    IdempotencyKey key();

    /** Who is working. */
    Scope scope();

    /** The origin key: the client's key at which the trace of keys begins. */
    String root();

    /** Fencing token: grows with every grant of the record. A downstream resource can refuse older ones. */
    long fence();

    /** Which grant of the record this is, from 1. */
    int attempt();

    /**
     * Whether an earlier owner's lease ended without a settlement, so that the outcome of its attempt is unknown. Also true if
     * there was an earlier attempt and the store's first answer, which told how it ended, was lost.
     */
    boolean takeover();

    /**
     * Whether the lease is known to be live, by this machine's monotonic clock. False for good once it was lost: then do
     * not commit. Does not ask the store.
     */
    boolean stillOwner();

    /**
     * Same as {@link #stillOwner()}, for use right before a commit.
     *
     * @throws LeaseLostException if the lease is not known to be live
     */
    void requireOwner();

    /**
     * Has the work told that its lease is lost: by a refused renewal, or because the local deadline passed without a confirmed one.
     * From then on {@link #stillOwner()} is false for good. Runs at once if that has happened already; never runs if the work ends
     * before, though it may still be running when the work ends.
     *
     * @param action called once, on a thread of idem: be quick. What it throws is logged and ignored
     */
    void onLeaseLost(Runnable action);

    /**
     * Runs a part of the work with this context as {@link #current()} on the calling thread: for parts that run on other threads
     * than the one on which the work began, such as the later stages of asynchronous work.
     */
    default <V> V call(Callable<V> part) throws Exception {
        return CurrentContext.callWith(this, part);
    }

    /**
     * Makes this context the {@link #current()} one of the calling thread until the binding is closed, on the same thread. For hooks that
     * are told separately that a part begins and that it ended; everybody else uses {@link #call}.
     */
    default Binding bind() {
        return CurrentContext.bind(this);
    }

    /** A context that is bound to a thread; gives way to the one before it. Close it on every path. */
    @FunctionalInterface
    interface Binding extends AutoCloseable {

        @Override
        void close();
    }

    /** What this attempt published; for transports. */
    Publications publications();
}
