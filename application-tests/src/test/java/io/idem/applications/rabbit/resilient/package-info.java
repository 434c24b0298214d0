/** Retries of Spring Framework on the method. */
@NullMarked
package io.idem.applications.rabbit.resilient;

import org.jspecify.annotations.NullMarked;
