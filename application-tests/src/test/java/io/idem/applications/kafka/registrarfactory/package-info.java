/** A container factory that is no bean. */
@NullMarked
package io.idem.applications.kafka.registrarfactory;

import org.jspecify.annotations.NullMarked;
