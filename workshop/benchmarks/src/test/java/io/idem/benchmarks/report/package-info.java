@NullMarked
package io.idem.benchmarks.report;

import org.jspecify.annotations.NullMarked;
