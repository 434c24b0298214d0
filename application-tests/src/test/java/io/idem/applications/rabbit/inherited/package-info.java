/** A listener method inherited from another package, where no proxy can override it. */
@NullMarked
package io.idem.applications.rabbit.inherited;

import org.jspecify.annotations.NullMarked;
