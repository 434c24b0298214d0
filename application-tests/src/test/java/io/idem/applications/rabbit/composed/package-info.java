/** An annotation of its own. */
@NullMarked
package io.idem.applications.rabbit.composed;

import org.jspecify.annotations.NullMarked;
