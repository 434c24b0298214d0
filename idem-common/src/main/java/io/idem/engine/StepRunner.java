package io.idem.engine;

import io.idem.MonotonicClock;
import io.idem.ResultCodec;
import io.idem.spi.RecordStore;
import java.util.concurrent.ForkJoinPool;

/**
 * Parts that the steps of all attempts share.
 *
 * @param waiting answers on the calling thread, which waits
 * @param asking answers in stages that continue on worker threads
 * @param results packs results
 * @param codec encodes results
 */
record StepRunner(
        RecordStore waiting,
        RecordStore asking,
        Results results,
        ResultCodec codec,
        EventSource events,
        MonotonicClock clock) {

    static StepRunner on(
            RecordStore store, Results results, ResultCodec codec, EventSource events, MonotonicClock clock) {
        return new StepRunner(
                new WaitingStore(store),
                new WorkersStore(OnThreads.around(store), new Workers(ForkJoinPool.commonPool())),
                results,
                codec,
                events,
                clock);
    }
}
