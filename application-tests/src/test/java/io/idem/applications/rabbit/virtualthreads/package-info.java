/** Virtual threads, where the JVM has them. */
@NullMarked
package io.idem.applications.rabbit.virtualthreads;

import org.jspecify.annotations.NullMarked;
