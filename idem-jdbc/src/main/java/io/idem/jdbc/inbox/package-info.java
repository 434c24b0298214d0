/** The inbox: one row in the business transaction remembers that its work took effect. Start with {@link io.idem.jdbc.inbox.JdbcInbox}. */
@NullMarked
package io.idem.jdbc.inbox;

import org.jspecify.annotations.NullMarked;
