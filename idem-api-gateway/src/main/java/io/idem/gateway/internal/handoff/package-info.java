/**
 * Publishers with confirms, and the probes of their brokers: start with {@code RabbitPublisher}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.internal.handoff;

import org.jspecify.annotations.NullMarked;
