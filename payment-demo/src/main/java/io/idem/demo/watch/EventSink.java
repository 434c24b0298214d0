package io.idem.demo.watch;

import io.idem.demo.watch.WorkerEvent.What;

/** Receives the events of a process. Implementations are thread-safe and quick. */
@FunctionalInterface
public interface EventSink {

    /** Receives an event; the parameters are those of {@link WorkerEvent}. */
    void write(What what, String scope, String key, String detail, long fence);
}
