/** Figures of many rounds, goals and their verdicts, and how they are shown. */
@NullMarked
package io.idem.benchmarks.report;

import org.jspecify.annotations.NullMarked;
