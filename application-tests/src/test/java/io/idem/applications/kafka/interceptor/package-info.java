/** A record interceptor. */
@NullMarked
package io.idem.applications.kafka.interceptor;

import org.jspecify.annotations.NullMarked;
