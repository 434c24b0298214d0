/**
 * Describes an intake as OpenAPI 3.1, from its routes. Open {@link io.idem.gateway.service.openapi.OpenApiCustomizer}
 * to change the description, and {@link io.idem.gateway.service.openapi.IntakeDescription} to see how it is made.
 */
@NullMarked
package io.idem.gateway.service.openapi;

import org.jspecify.annotations.NullMarked;
