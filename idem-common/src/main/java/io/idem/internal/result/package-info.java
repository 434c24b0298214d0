/**
 * The layers between a result and its record: size limit, compression, encryption, and a storage outside the record.
 * Open {@code LayeredResults} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.result;

import org.jspecify.annotations.NullMarked;
