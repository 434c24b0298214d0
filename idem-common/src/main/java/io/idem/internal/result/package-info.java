/**
 * The layers between a result and its record: size limit, compression, encryption, and a place outside the record. Start with
 * {@code LayeredResults}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.result;

import org.jspecify.annotations.NullMarked;
