/** An error handler that keeps what failed and acknowledges it. */
@NullMarked
package io.idem.applications.rabbit.acknowledgingerrorhandler;

import org.jspecify.annotations.NullMarked;
