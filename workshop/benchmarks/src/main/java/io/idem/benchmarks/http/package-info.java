/** Measures requests to a bare route and to a protected one. */
@NullMarked
package io.idem.benchmarks.http;

import org.jspecify.annotations.NullMarked;
