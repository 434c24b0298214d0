/** The orders and the shipping of docs/inbox-outbox.md, which exchange events of Spring Modulith. */
@NullMarked
package io.idem.examples.modulith;

import org.jspecify.annotations.NullMarked;
