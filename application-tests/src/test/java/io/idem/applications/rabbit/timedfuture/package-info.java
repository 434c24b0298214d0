/** A future with a time limit. */
@NullMarked
package io.idem.applications.rabbit.timedfuture;

import org.jspecify.annotations.NullMarked;
