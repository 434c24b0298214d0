package io.idem.step;

/**
 * A step as its work sees it. Immutable.
 *
 * @param key the idempotency key for the system that the step calls: the same in every attempt, 22 characters of
 *     base64url unless the step has a {@linkplain Step#key key of its own}
 * @param id the name of the step, and its item if it has one
 * @param fence the fencing token of the attempt
 * @param mayHaveRun whether an earlier attempt may have begun the step; its result is not remembered
 */
public record StepContext(String key, String id, long fence, boolean mayHaveRun) {}
