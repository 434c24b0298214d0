/** Interfaces between the engine and its stores, inboxes and transports, for their authors. */
@NullMarked
package io.idem.spi;

import org.jspecify.annotations.NullMarked;
