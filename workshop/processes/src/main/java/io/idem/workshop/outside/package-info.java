/** Clients that look at idem from outside, with HTTP, SQL, queues, topics and raw Redis values. */
@NullMarked
package io.idem.workshop.outside;

import org.jspecify.annotations.NullMarked;
