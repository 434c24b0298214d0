/** The outbox: messages that are kept in the inbox row and published after the commit. Start with {@link io.idem.jdbc.outbox.OutboxRelay}. */
@NullMarked
package io.idem.jdbc.outbox;

import org.jspecify.annotations.NullMarked;
