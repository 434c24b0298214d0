/** An error handler that rejects everything. */
@NullMarked
package io.idem.applications.rabbit.rejectingerrorhandler;

import org.jspecify.annotations.NullMarked;
