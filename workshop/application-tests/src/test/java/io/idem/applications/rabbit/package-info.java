/** Applications on RabbitMQ, each in a package of its own. */
@NullMarked
package io.idem.applications.rabbit;

import org.jspecify.annotations.NullMarked;
