/** Acknowledgement mode RECORD. */
@NullMarked
package io.idem.applications.kafka.recordmode;

import org.jspecify.annotations.NullMarked;
