/** A recoverer that keeps what failed in a table. */
@NullMarked
package io.idem.applications.kafka.recovered;

import org.jspecify.annotations.NullMarked;
