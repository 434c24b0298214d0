/** A record interceptor that begins a transaction. */
@NullMarked
package io.idem.applications.kafka.interceptortransaction;

import org.jspecify.annotations.NullMarked;
