/** An error handler that keeps what failed and goes on. */
@NullMarked
package io.idem.applications.kafka.owncommonerrorhandler;

import org.jspecify.annotations.NullMarked;
