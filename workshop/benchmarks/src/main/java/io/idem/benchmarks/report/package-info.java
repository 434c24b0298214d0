/** Figures of several rounds, goals and verdicts, and their presentation. */
@NullMarked
package io.idem.benchmarks.report;

import org.jspecify.annotations.NullMarked;
