/** Transactions of the container. */
@NullMarked
package io.idem.applications.kafka.transactions;

import org.jspecify.annotations.NullMarked;
