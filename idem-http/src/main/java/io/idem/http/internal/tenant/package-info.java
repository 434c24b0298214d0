/**
 * Resolvers of a request's tenant that can be chosen by settings. Start with {@code TokenClaimTenant}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.tenant;

import org.jspecify.annotations.NullMarked;
