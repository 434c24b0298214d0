/**
 * Auto-configuration of the service's additions to an intake: authentication, limits, schemas and the OpenAPI
 * description. Open {@code IdemGatewayServiceAutoConfiguration} first.
 */
@NullMarked
package io.idem.gateway.service.autoconfigure;

import org.jspecify.annotations.NullMarked;
