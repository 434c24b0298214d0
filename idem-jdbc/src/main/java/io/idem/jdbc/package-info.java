/**
 * Idempotency in a relational database. Open {@link io.idem.jdbc.inbox.JdbcInbox} first; the outbox is in
 * {@link io.idem.jdbc.outbox}, the store on PostgreSQL in {@link io.idem.jdbc.store}.
 */
@NullMarked
package io.idem.jdbc;

import org.jspecify.annotations.NullMarked;
