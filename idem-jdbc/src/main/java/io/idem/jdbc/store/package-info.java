/**
 * The store on PostgreSQL, for applications without Redis. Open {@link io.idem.jdbc.store.PostgresIdempotencyStore}
 * first.
 */
@NullMarked
package io.idem.jdbc.store;

import org.jspecify.annotations.NullMarked;
