/**
 * Filters, answers and endpoints of an intake beside its handlers. Open {@code IntakeRoutes} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.internal.intake;

import org.jspecify.annotations.NullMarked;
