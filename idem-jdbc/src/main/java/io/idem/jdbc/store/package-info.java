/** The store on PostgreSQL, for those without Redis. Start with {@link io.idem.jdbc.store.PostgresIdempotencyStore}. */
@NullMarked
package io.idem.jdbc.store;

import org.jspecify.annotations.NullMarked;
