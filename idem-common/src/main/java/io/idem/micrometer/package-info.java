/**
 * Meters and observations. Names and tags are listed in docs/observability.md.
 */
@NullMarked
package io.idem.micrometer;

import org.jspecify.annotations.NullMarked;
