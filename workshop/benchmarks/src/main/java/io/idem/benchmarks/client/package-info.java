/** The cost of idem in its own JVM: the memory that it holds and its CPU time. */
@NullMarked
package io.idem.benchmarks.client;

import org.jspecify.annotations.NullMarked;
