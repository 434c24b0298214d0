/** The exchanges, queues and topics that intake and consumers share. */
@NullMarked
package io.idem.demo.messaging;

import org.jspecify.annotations.NullMarked;
