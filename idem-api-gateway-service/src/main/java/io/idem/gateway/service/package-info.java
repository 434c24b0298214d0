/**
 * The intake as a service: a runnable application around the routes of {@code idem-api-gateway}. Open
 * {@link io.idem.gateway.service.GatewayApplication} first.
 */
@NullMarked
package io.idem.gateway.service;

import org.jspecify.annotations.NullMarked;
