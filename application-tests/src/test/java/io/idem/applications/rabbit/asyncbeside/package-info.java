/** Another method of the class is asynchronous. */
@NullMarked
package io.idem.applications.rabbit.asyncbeside;

import org.jspecify.annotations.NullMarked;
