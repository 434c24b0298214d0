/** A prefetch of one, for strict order. */
@NullMarked
package io.idem.applications.rabbit.prefetchone;

import org.jspecify.annotations.NullMarked;
