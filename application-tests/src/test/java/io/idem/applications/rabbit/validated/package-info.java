/** Arguments that are validated. */
@NullMarked
package io.idem.applications.rabbit.validated;

import org.jspecify.annotations.NullMarked;
