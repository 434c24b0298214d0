/** Takes payments and payouts over HTTP, hands them to RabbitMQ and Kafka, and tells how far they are. */
@NullMarked
package io.idem.demo.intake;

import org.jspecify.annotations.NullMarked;
