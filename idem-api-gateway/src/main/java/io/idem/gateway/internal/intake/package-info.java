/**
 * What the routes of an intake pass through, beside their handlers: start with {@code IntakeRoutes}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.internal.intake;

import org.jspecify.annotations.NullMarked;
