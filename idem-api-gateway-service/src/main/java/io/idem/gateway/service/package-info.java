/** The intake as a service by itself: a runnable application around the routes of {@code idem-api-gateway}. */
@NullMarked
package io.idem.gateway.service;

import org.jspecify.annotations.NullMarked;
