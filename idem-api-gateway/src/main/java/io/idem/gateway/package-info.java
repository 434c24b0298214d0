/**
 * An intake service: routes that accept a request once for its key, hand it to RabbitMQ or Kafka, and answer when the
 * broker has confirmed it.
 * <pre>
 * request ▶ filter ▶ key + fingerprint ▶ ACQUIRE ▶ middlewares ▶ handler ▶ broker ▶ confirm ▶ COMPLETE ▶ response
 * </pre>
 * Routes come from the settings under {@code idem.gateway}, or from beans: open {@link io.idem.gateway.IntakeRouter}
 * first.
 */
@NullMarked
package io.idem.gateway;

import org.jspecify.annotations.NullMarked;
