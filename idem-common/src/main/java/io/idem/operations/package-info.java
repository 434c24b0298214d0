/**
 * What operators do to records: inspect, reopen, force an end, erase results, and publish dead letters again. Start with
 * {@link io.idem.operations.RecordOperator}.
 */
@NullMarked
package io.idem.operations;

import org.jspecify.annotations.NullMarked;
