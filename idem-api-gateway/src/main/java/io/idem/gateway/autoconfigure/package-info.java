/**
 * Auto-configuration of the intake; does nothing in an application without routes. Open
 * {@code IdemGatewayAutoConfiguration} first.
 */
@NullMarked
package io.idem.gateway.autoconfigure;

import org.jspecify.annotations.NullMarked;
