/**
 * One record and its rules, for stores that decide in Java. Open {@link io.idem.internal.record.RecordRules} first: it
 * says what each request makes of a record. {@link io.idem.internal.record.RegisterStore} is a store over any place
 * that keeps records by compare-and-set.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.record;

import org.jspecify.annotations.NullMarked;
