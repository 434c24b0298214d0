/**
 * Filters for authentication and authorization: API keys, operators and open paths. Open {@code ApiKeyFilter} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.service.internal.access;

import org.jspecify.annotations.NullMarked;
