/**
 * The description of an intake as OpenAPI 3.1, made from its routes.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.service.internal.openapi;

import org.jspecify.annotations.NullMarked;
