/**
 * Meters and observations, whose names and tags docs/observability.md lists. Open {@code MeteredEvents} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.micrometer;

import org.jspecify.annotations.NullMarked;
