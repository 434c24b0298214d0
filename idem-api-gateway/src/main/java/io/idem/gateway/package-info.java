/**
 * An intake service: routes that take a request once for its key, hand it to RabbitMQ or Kafka, and answer when the broker has it.
 *
 * <pre>
 * request ▶ filter ▶ key + fingerprint ▶ ACQUIRE ▶ middlewares ▶ handler ▶ propagating template ▶ confirm ▶ COMPLETE ▶ response
 * </pre>
 *
 * Routes come from the settings under {@code idem.gateway}, or from {@code IntakeRouter} beans.
 */
@NullMarked
package io.idem.gateway;

import org.jspecify.annotations.NullMarked;
