package io.idem.demo.watch;

import io.idem.demo.watch.WorkerEvent.What;

/** Takes in what a process does. Implementations are thread-safe and quick. */
@FunctionalInterface
public interface EventSink {

    /** Something happened; the parameters are those of {@link WorkerEvent}. */
    void write(What what, String scope, String key, String detail, long fence);
}
