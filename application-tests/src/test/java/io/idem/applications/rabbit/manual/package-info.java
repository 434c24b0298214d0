/** A listener that acknowledges by hand. */
@NullMarked
package io.idem.applications.rabbit.manual;

import org.jspecify.annotations.NullMarked;
