/** Work in the transaction of the inbox. */
@NullMarked
package io.idem.applications.kafka.inbox;

import org.jspecify.annotations.NullMarked;
