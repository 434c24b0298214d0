/** A container of its own whose listener is a lambda. */
@NullMarked
package io.idem.applications.rabbit.lambdacontainer;

import org.jspecify.annotations.NullMarked;
