/** Spring Boot auto-configuration of what the service adds to an intake: authentication, limits, schemas and the OpenAPI description. */
@NullMarked
package io.idem.gateway.service.autoconfigure;

import org.jspecify.annotations.NullMarked;
