package io.idem.engine;

import io.idem.Inbox;
import io.idem.MonotonicClock;
import io.idem.ResultCodec;
import io.idem.spi.RecordStore;
import java.util.concurrent.ForkJoinPool;

/**
 * Parts that the steps of all attempts share.
 *
 * @param waiting answers on the calling thread, which waits
 * @param asking answers in stages that continue on worker threads
 * @param workers run code of users for asynchronous steps, and what may block
 * @param results packs results
 * @param codec encodes results
 */
record StepRunner(
        WaitingStore waiting,
        RecordStore asking,
        Workers workers,
        Results results,
        ResultCodec codec,
        EventSource events,
        MonotonicClock clock) {

    static StepRunner on(
            RecordStore store, Results results, ResultCodec codec, EventSource events, MonotonicClock clock) {
        Workers workers = new Workers(ForkJoinPool.commonPool());
        return new StepRunner(
                new WaitingStore(store),
                new WorkersStore(OnThreads.around(store), workers),
                workers,
                results,
                codec,
                events,
                clock);
    }

    /** Returns a copy whose asynchronous steps run on the given workers. */
    StepRunner on(Workers others) {
        return with(waiting, waiting.store(), others);
    }

    /** Returns a copy for the steps in the database of an inbox. */
    StepRunner in(Inbox.LastPhase inbox) {
        WaitingStore here = new WaitingStore(new StepsInInbox(inbox, Runnable::run));
        return with(here, new StepsInInbox(inbox, workers), workers);
    }

    /** Returns a copy for steps in other stores: one that blocks its caller, and one that is asked for asynchronous steps. */
    private StepRunner with(WaitingStore blocking, RecordStore asked, Workers others) {
        return new StepRunner(
                blocking, new WorkersStore(OnThreads.around(asked), others), others, results, codec, events, clock);
    }
}
