package io.idem.http.internal.admission;

import io.idem.RecordId;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.http.RouteOptions;
import io.idem.http.StoredAnswers;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatusCode;

/**
 * The handler of a granted request as far as it is known: whether it was called, how it ended, and the result that follows for the request's
 * record, which is settled once. Kept as a request attribute. Thread-safe.
 *
 * <p>A run goes forward only, and says what a failure is from then on:
 *
 * <ul>
 *   <li><b>not called</b>: nothing is done; whatever is answered frees the key
 *   <li><b>called</b>: a failure is the handler's, and frees the key unless a part of the work is done for good
 *   <li><b>responded</b>: it gave a value, of which more may follow; a failure that the value does not emit itself is the answer's
 *   <li><b>returned</b>: the work is done; every failure is the answer's, and a retry learns that the answer was not kept
 *   <li><b>declined</b>: it gave its answer a status that is not stored; a failure frees the key; may be called again
 *   <li><b>threw</b>: the work failed; an answer to that is the handler's unless it is a redirect; may be called again
 * </ul>
 */
public final class HandlerRun {

    /** The name of the request attribute. */
    public static final String ATTRIBUTE = HandlerRun.class.getName();

    private static final Logger LOG = LoggerFactory.getLogger(HandlerRun.class);

    private static final int REDIRECTION = 300;
    private static final int BAD_REQUEST = 400;

    private final RecordId record;
    private final RouteOptions options;
    private final Optional<ObservedRequest> observed;
    private final AtomicBoolean settled = new AtomicBoolean();
    private volatile Progress progress = Progress.NOT_CALLED;
    private volatile boolean reached;
    private volatile boolean committed;
    private volatile boolean answerFailed;
    private volatile boolean storable;
    private volatile boolean timedOut;
    private volatile boolean givenUp;

    /** Creates the run of the handler of a request, which is not called yet. */
    public HandlerRun(RecordId record, RouteOptions options, Optional<ObservedRequest> observed) {
        this.record = record;
        this.options = options;
        this.observed = observed;
    }

    /** Returns the options of the request's route. */
    public RouteOptions options() {
        return options;
    }

    /** Notes that the request has passed all filters. An interceptor, or an exception handler, may still answer it. */
    public void reached() {
        reached = true;
    }

    /** Notes that the handler is called, unless that is known; a filter may call one that threw again. */
    public synchronized void called() {
        if (progress == Progress.NOT_CALLED || progress == Progress.THREW || progress == Progress.DECLINED) {
            progress = Progress.CALLED;
            answerFailed = false;
        }
    }

    /** Corrects {@link #called}: the handler was not called after all, for example because an argument could not be bound. */
    public synchronized void notCalled() {
        if (progress == Progress.CALLED) {
            progress = Progress.NOT_CALLED;
        }
    }

    /** Notes that the called handler gave a value, of which more may follow. */
    public void responded() {
        goOn(Progress.RESPONDED);
    }

    /** Notes that the handler's work is done: what is left is to write its answer. After a timeout nobody knows that. */
    public void returned() {
        if (!timedOut) {
            goOn(Progress.RETURNED);
        }
    }

    /** Notes that the handler's work is done, and the status of its answer, of which the body may still be missing. */
    public void returned(int status) {
        returned();
        said(status);
        storable |= progress == Progress.RETURNED && stores(status);
    }

    /** Notes the status that the handler itself gives to its answer, if it gives one. */
    public void said(@Nullable HttpStatusCode status) {
        if (status != null) {
            said(status.value());
        }
    }

    /** Notes the status that the handler itself gives to its answer, of which the writing may fail. */
    public synchronized void said(int status) {
        boolean own = progress == Progress.RESPONDED || progress == Progress.RETURNED;
        if (own && !storable && !answerFailed && !asked(() -> options.storing().stores(status))) {
            progress = Progress.DECLINED;
        }
    }

    /** Notes the status of the whole answer: one that is not stored has taken the place of an answer of the handler that is. */
    public void answered(int status) {
        if (storable && !stores(status)) {
            answerLost();
        }
    }

    /**
     * Notes that a part of the work is done for good: a transaction was committed on the handler's thread, or asynchronous work of a servlet
     * asked another resource for its answer. What is committed after the work has ended is not a part of it.
     */
    public void committed() {
        committed |= progress == Progress.CALLED || progress == Progress.RESPONDED;
    }

    /** Notes that the handler, or the stage that it returned, failed. */
    public void threw() {
        goOn(Progress.THREW);
    }

    /** Does nothing for a handler that was not called, or whose work has ended. */
    private synchronized void goOn(Progress next) {
        if (progress == Progress.CALLED || progress == Progress.RESPONDED) {
            progress = next;
        }
    }

    /** Notes a failure of which it is not known whether it is the handler's or that of writing its answer. */
    public void failed() {
        if (progress == Progress.RESPONDED) {
            returned();
        }
        threw();
        answerLost();
    }

    /** Notes that another answer takes the place of the handler's: if its work is done, its answer is not kept. */
    public void answerLost() {
        answerFailed |= progress == Progress.RETURNED || progress == Progress.DECLINED;
    }

    /** Returns whether the handler was called, so that an answer may be its own. */
    public boolean wasCalled() {
        return progress != Progress.NOT_CALLED;
    }

    /** Returns whether the handler, or the stage that it returned, failed. */
    public boolean hasThrown() {
        return progress == Progress.THREW;
    }

    /** Returns whether the handler did its work and its answer could not be written. */
    public boolean answerFailed() {
        return answerFailed && progress == Progress.RETURNED;
    }

    /** Notes that the container, or the handler's own stage, timed out, although the work may still be running. */
    public void timeOut() {
        timedOut = true;
    }

    /** Notes that the container gave up the client, although the work may still be running: the present answer is not the work's. */
    public void giveUp() {
        givenUp = true;
        timeOut();
    }

    /** Returns whether work without a result may still have an effect: it may be running, or a transaction was committed before it threw. */
    boolean leavesUnknown() {
        return timedOut || (hasThrown() && committed);
    }

    /**
     * Returns whether a status is one of an answer that the route stores; headers and body may still decide otherwise. A redirect after the
     * handler threw leads to a login, for example.
     */
    public boolean stores(int status) {
        return !givenUp
                && wasCalled()
                && !(answerFailed && progress == Progress.DECLINED)
                && !(hasThrown() && status / 100 == REDIRECTION / 100)
                && asked(() -> options.storing().stores(status));
    }

    /** Returns true for the first caller, which must settle the request. */
    public boolean claimSettlement() {
        return settled.compareAndSet(false, true);
    }

    /** Returns whether the settlement was claimed. */
    public boolean settled() {
        return settled.get();
    }

    /** Reports whether the answer was recorded or the key released, unless an answer in place of the handler's has reported its own outcome. */
    public void ended(boolean recorded) {
        observed.ifPresent(request -> request.ended(recorded ? ObservedRequest.EXECUTED : ObservedRequest.RELEASED));
    }

    /** Returns the result of a request whose handler ended with an answer: completed if the answer is the handler's and is stored. */
    public WorkResult<HandlerRun> result(StoredResponse answer) {
        answered(answer.status());
        if (answerFailed()) {
            LOG.warn(
                    "{} is completed without an answer: its handler returned, and its answer could not be written; a retry is"
                            + " answered with 409",
                    record);
            return new WorkResult.Complete<>(this, StoredResult.OMITTED, StoredResult.OMITTED);
        }
        StoredResponse kept = observed.map(request -> request.kept(answer)).orElse(answer);
        if (stores(answer.status()) && asked(() -> options.storing().stores(kept))) {
            return new WorkResult.Complete<>(
                    this, StoredResponseCodec.encode(kept), StoredResponseCodec.encode(kept.shortened()));
        }
        if (!wasCalled() && !reached && answer.status() < REDIRECTION) {
            LOG.warn(
                    "{} was answered with {} before a handler was called, so the answer is not stored and a retry runs again;"
                            + " if a filter did the work of the route, it must stand in front of idem, or become a handler",
                    record,
                    answer.status());
        }
        boolean elsewhere = answer.status() < BAD_REQUEST && !StoredAnswers.BELOW_500.stores(answer.status());
        return release("status " + answer.status(), wasCalled() && !elsewhere);
    }

    private boolean asked(BooleanSupplier policy) {
        try {
            return policy.getAsBoolean();
        } catch (RuntimeException failed) {
            LOG.error("{} keeps its answer, because the StoringPolicy that was asked about it failed", record, failed);
            return true;
        }
    }

    /** Returns the result of a request without an answer that could be stored. The attempt counts if the handler was called. */
    public WorkResult<HandlerRun> release(String why) {
        return release(why, wasCalled());
    }

    private WorkResult<HandlerRun> release(String why, boolean counted) {
        return new WorkResult.Release<>(this, Duration.ZERO, why, counted);
    }

    private enum Progress {
        NOT_CALLED,
        CALLED,
        RESPONDED,
        RETURNED,
        DECLINED,
        THREW
    }
}
