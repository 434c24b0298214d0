/** An aspect in front of idem that does not call the method. */
@NullMarked
package io.idem.applications.rabbit.swallowing;

import org.jspecify.annotations.NullMarked;
