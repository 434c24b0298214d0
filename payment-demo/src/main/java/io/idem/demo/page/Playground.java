package io.idem.demo.page;

import io.idem.demo.story.Kind;

/**
 * The state that the page shows, and the actions of its buttons. Implementations are thread-safe; actions block until
 * they are done.
 */
public interface Playground {

    /** Returns the changes after version {@code seen} of the flow; 0 asks for all. */
    Frame since(long seen);

    /** Sends a new operation. */
    String send(Kind kind, long cents) throws InterruptedException;

    /** Sends a new operation twice at the same time. */
    String sendTwice(Kind kind, long cents) throws InterruptedException;

    /**
     * Sends the visitor's latest operation again, under the same key.
     *
     * @throws NotNowException if there is none yet
     */
    String retry() throws InterruptedException;

    /**
     * Sends another amount under the key of the visitor's latest operation.
     *
     * @throws NotNowException if there is none yet
     */
    String change() throws InterruptedException;

    /**
     * Kills a consumer at work with SIGKILL and starts it again.
     *
     * @throws NotNowException while one is being killed
     */
    String killWorker() throws InterruptedException;

    /**
     * Stops Redis.
     *
     * @throws NotNowException if it is not ours
     */
    String stopRedis();

    /**
     * Starts Redis again with its data.
     *
     * @throws NotNowException if it is not ours
     */
    String startRedis();
}
