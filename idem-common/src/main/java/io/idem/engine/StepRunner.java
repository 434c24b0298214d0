package io.idem.engine;

import io.idem.Inbox;
import io.idem.MonotonicClock;
import io.idem.ResultCodec;
import io.idem.spi.RecordStore;
import java.util.concurrent.ForkJoinPool;

/**
 * Parts that the steps of all attempts share.
 *
 * @param waiting the lane of steps that run on the calling thread
 * @param asking the lane of asynchronous steps, which also runs code of users and what may block
 * @param results packs results
 * @param codec encodes results
 */
record StepRunner(
        CallerLane waiting,
        WorkersLane asking,
        Results results,
        ResultCodec codec,
        EventSource events,
        MonotonicClock clock) {

    static StepRunner on(
            RecordStore store, Results results, ResultCodec codec, EventSource events, MonotonicClock clock) {
        WorkersLane asking = new WorkersLane(store, ForkJoinPool.commonPool());
        return new StepRunner(new CallerLane(store), asking, results, codec, events, clock);
    }

    /** Returns a copy whose asynchronous steps have another lane. */
    StepRunner on(WorkersLane other) {
        return new StepRunner(waiting, other, results, codec, events, clock);
    }

    /** Returns a copy for the steps in the database of an inbox. */
    StepRunner in(Inbox.LastPhase inbox) {
        CallerLane here = new CallerLane(new StepsInInbox(inbox, Runnable::run));
        WorkersLane asked = new WorkersLane(new StepsInInbox(inbox, asking), asking);
        return new StepRunner(here, asked, results, codec, events, clock);
    }
}
