@NullMarked
package io.idem.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;
