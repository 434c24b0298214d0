/** Replies that are messages of AMQP. */
@NullMarked
package io.idem.applications.rabbit.amqpreply;

import org.jspecify.annotations.NullMarked;
