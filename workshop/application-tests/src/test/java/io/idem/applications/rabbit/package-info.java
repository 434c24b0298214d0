/** RabbitMQ applications, each in its own package. */
@NullMarked
package io.idem.applications.rabbit;

import org.jspecify.annotations.NullMarked;
