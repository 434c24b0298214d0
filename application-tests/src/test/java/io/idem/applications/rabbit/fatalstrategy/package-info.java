/** An error handler for which everything is fatal. */
@NullMarked
package io.idem.applications.rabbit.fatalstrategy;

import org.jspecify.annotations.NullMarked;
