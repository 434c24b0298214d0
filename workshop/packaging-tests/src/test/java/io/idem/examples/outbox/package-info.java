/** The code on docs/inbox-outbox.md. */
@NullMarked
package io.idem.examples.outbox;

import org.jspecify.annotations.NullMarked;
