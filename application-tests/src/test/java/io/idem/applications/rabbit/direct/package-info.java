/** A direct container, by its property. */
@NullMarked
package io.idem.applications.rabbit.direct;

import org.jspecify.annotations.NullMarked;
