/** A listener that returns a future. */
@NullMarked
package io.idem.applications.rabbit.future;

import org.jspecify.annotations.NullMarked;
