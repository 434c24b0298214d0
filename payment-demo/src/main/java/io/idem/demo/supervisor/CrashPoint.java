package io.idem.demo.supervisor;

import io.idem.demo.story.PlannedOperation;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.time.Duration;

/**
 * A moment in which a worker is to be killed: a while after it said {@code trigger} of {@code operation}.
 *
 * @param name for people
 * @param operation at which it is at work
 * @param trigger what it said
 * @param delay how long after that it is killed
 */
record CrashPoint(String name, PlannedOperation operation, What trigger, Duration delay) {

    boolean matches(WorkerEvent event) {
        return event.what() == trigger && event.key().equals(operation.key().id());
    }
}
