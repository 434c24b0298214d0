/** Processes that a JVM starts and that never outlive it. */
@NullMarked
package io.idem.servers.process;

import org.jspecify.annotations.NullMarked;
