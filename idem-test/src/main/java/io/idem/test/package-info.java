/**
 * Helpers for users' tests: a store in memory on a clock that tests move, messages and requests that are sent twice, at
 * once or into a crash, and assertions on records. Open {@link io.idem.test.TestIdempotency} first; with Spring,
 * {@link io.idem.test.spring.IdempotencyTest} sets everything up. Needs AssertJ.
 */
@NullMarked
package io.idem.test;

import org.jspecify.annotations.NullMarked;
