/** Virtual threads, where the JVM has them. */
@NullMarked
package io.idem.applications.kafka.virtualthreads;

import org.jspecify.annotations.NullMarked;
