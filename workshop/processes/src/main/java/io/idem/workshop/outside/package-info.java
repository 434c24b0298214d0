/** Looks at idem from outside: as an HTTP client, as a database user, as a reader of queues, topics and raw Redis values. */
@NullMarked
package io.idem.workshop.outside;

import org.jspecify.annotations.NullMarked;
