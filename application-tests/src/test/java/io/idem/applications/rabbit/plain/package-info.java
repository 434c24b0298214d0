/** A listener, an annotation and a scope. */
@NullMarked
package io.idem.applications.rabbit.plain;

import org.jspecify.annotations.NullMarked;
