@NullMarked
package io.idem.benchmarks;

import org.jspecify.annotations.NullMarked;
