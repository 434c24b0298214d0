package io.idem.demo.page;

import java.util.List;

/**
 * The processes that may be killed or stopped.
 *
 * @param workers the consumers
 * @param redis up, stopped, given by somebody else and not ours to stop, or not used
 */
public record MachinesView(List<WorkerView> workers, Redis redis) {

    /** The state of Redis. */
    public enum Redis {
        UP,
        STOPPED,
        NOT_OURS,
        NONE
    }

    /**
     * A consumer process.
     *
     * @param name stays the same when its process is killed and replaced
     * @param pid its process now
     * @param ready whether that takes messages already
     * @param kills how often it was killed
     */
    public record WorkerView(String name, long pid, boolean ready, int kills) {}
}
