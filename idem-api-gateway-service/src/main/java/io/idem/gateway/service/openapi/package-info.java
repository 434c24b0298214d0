/** Changes to the intake's OpenAPI description, for applications that say more in it. */
@NullMarked
package io.idem.gateway.service.openapi;

import org.jspecify.annotations.NullMarked;
