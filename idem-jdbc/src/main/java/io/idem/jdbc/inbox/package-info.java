/**
 * The inbox: a row in the business transaction that records that its work took effect. Open
 * {@link io.idem.jdbc.inbox.JdbcInbox} first.
 */
@NullMarked
package io.idem.jdbc.inbox;

import org.jspecify.annotations.NullMarked;
