/** Replies of messages with headers. */
@NullMarked
package io.idem.applications.rabbit.reply;

import org.jspecify.annotations.NullMarked;
