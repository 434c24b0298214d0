/**
 * The description of protected routes in OpenAPI documents: {@code ProtectedOperations}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.openapi;

import org.jspecify.annotations.NullMarked;
