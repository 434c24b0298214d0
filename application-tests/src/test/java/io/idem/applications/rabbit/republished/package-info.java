/** A recoverer that publishes what failed to a queue of its own. */
@NullMarked
package io.idem.applications.rabbit.republished;

import org.jspecify.annotations.NullMarked;
