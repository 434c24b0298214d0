/**
 * Filters that say who calls and who may: API keys, operators and open paths.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.service.internal.access;

import org.jspecify.annotations.NullMarked;
