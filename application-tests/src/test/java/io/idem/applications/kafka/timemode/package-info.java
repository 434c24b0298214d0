/** Acknowledgement mode TIME. */
@NullMarked
package io.idem.applications.kafka.timemode;

import org.jspecify.annotations.NullMarked;
