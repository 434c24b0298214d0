/**
 * Publishers with confirms, and the probes of their brokers. Open {@code RabbitPublisher} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.internal.handoff;

import org.jspecify.annotations.NullMarked;
