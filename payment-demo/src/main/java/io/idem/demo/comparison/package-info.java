/** Two listeners that do the same, one with the inbox and one with Redis alone: to measure what the inbox costs. */
@NullMarked
package io.idem.demo.comparison;

import org.jspecify.annotations.NullMarked;
