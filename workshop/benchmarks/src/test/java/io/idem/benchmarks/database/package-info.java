@NullMarked
package io.idem.benchmarks.database;

import org.jspecify.annotations.NullMarked;
