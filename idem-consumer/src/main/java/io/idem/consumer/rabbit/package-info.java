/** What applications set of the RabbitMQ side: how long and where deliveries are deferred. */
@NullMarked
package io.idem.consumer.rabbit;

import org.jspecify.annotations.NullMarked;
