/** Applications whose only store is the inbox. */
@NullMarked
package io.idem.consumer.inbox;

import org.jspecify.annotations.NullMarked;
