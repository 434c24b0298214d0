package io.idem.jdbc;

import io.idem.spi.Inbox.Effect;

/** What a committed row says. */
record InboxRow(long fence, Effect effect) {}
