/**
 * Types for users: keys, scopes, operations, policies and outcomes. Open {@link io.idem.Outcome} first, which lists how
 * an operation can end, then {@link io.idem.IdempotencyContext}, which running work sees, and
 * {@link io.idem.ExecutionPolicy}, which holds durations and limits. Executors are in {@link io.idem.engine},
 * interfaces for stores in {@link io.idem.spi}. Depends on the JDK, SLF4J and JSpecify only.
 */
@NullMarked
package io.idem;

import org.jspecify.annotations.NullMarked;
