/** Two listeners with the same work, one with the inbox and one with Redis alone, to measure the cost of the inbox. */
@NullMarked
package io.idem.demo.comparison;

import org.jspecify.annotations.NullMarked;
