/**
 * Auto-configuration of the inbox, the outbox and the store on PostgreSQL. Open {@code InboxAutoConfiguration} first.
 */
@NullMarked
package io.idem.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
