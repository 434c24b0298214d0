/** The command that measures all goals: runs the suites, judges the goals, writes the report. */
@NullMarked
package io.idem.benchmarks;

import org.jspecify.annotations.NullMarked;
