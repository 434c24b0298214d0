/** A listener of a direct container that acknowledges by hand. */
@NullMarked
package io.idem.applications.rabbit.manualdirect;

import org.jspecify.annotations.NullMarked;
