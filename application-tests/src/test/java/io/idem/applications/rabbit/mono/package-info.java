/** A listener that returns a Mono. */
@NullMarked
package io.idem.applications.rabbit.mono;

import org.jspecify.annotations.NullMarked;
