/** An error handler of the listener that takes failures over. */
@NullMarked
package io.idem.applications.kafka.listenererrorhandler;

import org.jspecify.annotations.NullMarked;
