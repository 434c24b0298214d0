package io.idem.workshop.simulation.kernel;

/**
 * A step of a run that the model of the protocol must be able to take: a call as the store executed it, a fault of the
 * store, an effect, or the end of a message.
 *
 * @param time virtual time in milliseconds
 * @param key key of the work
 * @param step name of the step, such as ACQUIRE, FAIL, FAULT, EFFECT or ACKNOWLEDGED
 * @param owner name of the attempt: its owner token; empty if there is none
 * @param fence fence that an update names; else 0
 * @param answer what the store answered; empty for other steps
 * @param due whether the end of the lease, or of the rest after a failure, in the record before had come
 * @param state state of the record after the step; empty for steps that do not concern the record
 * @param recordFence fence of the record after the step, or 0
 * @param attempts attempts in the record after the step, or 0
 */
public record TraceEvent(
        double time,
        String key,
        String step,
        String owner,
        long fence,
        String answer,
        boolean due,
        String state,
        long recordFence,
        int attempts) {}
