/** Two independent consumers of settled payments, each with a table of its own. */
@NullMarked
package io.idem.demo.events;

import org.jspecify.annotations.NullMarked;
