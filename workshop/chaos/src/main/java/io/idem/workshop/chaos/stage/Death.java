package io.idem.workshop.chaos.stage;

/**
 * A SIGKILL to a worker.
 *
 * @param pid process id
 * @param at time of its end in milliseconds since the epoch
 */
public record Death(long pid, long at) {}
