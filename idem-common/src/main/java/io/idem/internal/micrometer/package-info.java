/**
 * Meters and observations; names and tags are listed in docs/observability.md. Start with {@code MeteredEvents}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.micrometer;

import org.jspecify.annotations.NullMarked;
