/** For authors of stores, inboxes and transports: the seams between the engine and the outside world. */
@NullMarked
package io.idem.spi;

import org.jspecify.annotations.NullMarked;
