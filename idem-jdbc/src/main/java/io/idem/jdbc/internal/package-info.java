/**
 * Rows, dialects and failures of SQL. Open {@code InboxRows} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.jdbc.internal;

import org.jspecify.annotations.NullMarked;
