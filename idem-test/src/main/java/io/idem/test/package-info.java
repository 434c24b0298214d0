/**
 * For users' tests: a store in memory whose clock a test moves, messages and requests that come twice, at once or into a crash, and
 * assertions on records. Needs AssertJ. With Spring, {@link io.idem.test.spring.IdempotencyTest} sets all of it up.
 */
@NullMarked
package io.idem.test;

import org.jspecify.annotations.NullMarked;
