/** Measures work on a database: each way beside what a user would write by hand, in pairs of short slices. */
@NullMarked
package io.idem.benchmarks.database;

import org.jspecify.annotations.NullMarked;
