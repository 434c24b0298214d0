/**
 * Operators' acts on records: inspect, reopen, force an end, erase results, and redrive dead letters. Open
 * {@link io.idem.operations.RecordOperator} first.
 */
@NullMarked
package io.idem.operations;

import org.jspecify.annotations.NullMarked;
