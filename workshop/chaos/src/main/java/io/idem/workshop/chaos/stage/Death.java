package io.idem.workshop.chaos.stage;

/**
 * SIGKILL to a worker.
 *
 * @param pid number of its process
 * @param at milliseconds since the epoch, when it was gone
 */
public record Death(long pid, long at) {}
