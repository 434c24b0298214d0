@NullMarked
package io.idem.benchmarks.listener;

import org.jspecify.annotations.NullMarked;
