/**
 * The data about records behind the actuator endpoint and the meters. Open {@code RecentEvents} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.operations;

import org.jspecify.annotations.NullMarked;
