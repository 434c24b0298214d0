/**
 * What the actuator endpoint and the meters show of records: start with {@code RecentEvents}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.operations;

import org.jspecify.annotations.NullMarked;
