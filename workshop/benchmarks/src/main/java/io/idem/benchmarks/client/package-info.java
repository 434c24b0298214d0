/** What idem costs the JVM that it runs in: memory that it keeps, and where its time goes. */
@NullMarked
package io.idem.benchmarks.client;

import org.jspecify.annotations.NullMarked;
