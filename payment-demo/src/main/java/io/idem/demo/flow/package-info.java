/** The progress of each operation, step by step, for the page: put together from events of clients and processes. */
@NullMarked
package io.idem.demo.flow;

import org.jspecify.annotations.NullMarked;
