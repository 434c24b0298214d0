/** Acknowledgement mode COUNT. */
@NullMarked
package io.idem.applications.kafka.countmode;

import org.jspecify.annotations.NullMarked;
