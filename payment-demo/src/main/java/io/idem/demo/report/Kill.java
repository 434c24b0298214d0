package io.idem.demo.report;

/**
 * A consumer process that was killed with SIGKILL.
 *
 * @param worker its name
 * @param pid its process
 * @param point where it was
 * @param unsettled grants that it held and will never settle
 */
public record Kill(String worker, long pid, String point, int unsettled) {}
