/** The limit of requests for each tenant, for applications that count by themselves. */
@NullMarked
package io.idem.gateway.service.limits;

import org.jspecify.annotations.NullMarked;
