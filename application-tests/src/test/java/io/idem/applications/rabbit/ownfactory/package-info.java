/** A container factory of its own. */
@NullMarked
package io.idem.applications.rabbit.ownfactory;

import org.jspecify.annotations.NullMarked;
