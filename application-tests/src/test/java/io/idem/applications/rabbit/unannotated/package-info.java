/** A container of its own for a method that is no listener of Spring. */
@NullMarked
package io.idem.applications.rabbit.unannotated;

import org.jspecify.annotations.NullMarked;
