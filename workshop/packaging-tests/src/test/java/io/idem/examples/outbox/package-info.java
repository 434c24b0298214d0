/** What docs/inbox-outbox.md shows. */
@NullMarked
package io.idem.examples.outbox;

import org.jspecify.annotations.NullMarked;
