/**
 * The outbox: messages that are kept in the inbox row and published after the commit. Open
 * {@link io.idem.jdbc.outbox.OutboxRelay} first.
 */
@NullMarked
package io.idem.jdbc.outbox;

import org.jspecify.annotations.NullMarked;
