/**
 * Idempotency in a relational database: the inbox in {@link io.idem.jdbc.inbox}, the outbox in {@link io.idem.jdbc.outbox}, and the
 * store on PostgreSQL in {@link io.idem.jdbc.store}.
 */
@NullMarked
package io.idem.jdbc;

import org.jspecify.annotations.NullMarked;
