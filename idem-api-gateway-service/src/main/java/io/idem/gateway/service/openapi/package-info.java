/** Describes an intake as OpenAPI 3.1, from what its routes are made of. */
@NullMarked
package io.idem.gateway.service.openapi;

import org.jspecify.annotations.NullMarked;
