/** A container factory that is no bean. */
@NullMarked
package io.idem.applications.rabbit.registrarfactory;

import org.jspecify.annotations.NullMarked;
