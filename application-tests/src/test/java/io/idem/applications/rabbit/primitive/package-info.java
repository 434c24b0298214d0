/** A primitive result. */
@NullMarked
package io.idem.applications.rabbit.primitive;

import org.jspecify.annotations.NullMarked;
