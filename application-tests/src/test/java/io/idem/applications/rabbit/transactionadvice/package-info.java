/** A transaction in the advice chain of the container. */
@NullMarked
package io.idem.applications.rabbit.transactionadvice;

import org.jspecify.annotations.NullMarked;
