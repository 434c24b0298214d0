/** A listener, an annotation and a scope. */
@NullMarked
package io.idem.applications.kafka.plain;

import org.jspecify.annotations.NullMarked;
