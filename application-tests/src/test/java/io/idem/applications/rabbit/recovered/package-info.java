/** A recoverer that keeps what failed in a table. */
@NullMarked
package io.idem.applications.rabbit.recovered;

import org.jspecify.annotations.NullMarked;
