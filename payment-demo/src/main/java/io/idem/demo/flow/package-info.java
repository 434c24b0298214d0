/** What becomes of each operation, step by step, put together from what clients and processes said: for people to watch. */
@NullMarked
package io.idem.demo.flow;

import org.jspecify.annotations.NullMarked;
