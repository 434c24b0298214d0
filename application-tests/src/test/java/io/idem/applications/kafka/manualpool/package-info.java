/** MANUAL, the work handed to a pool and acknowledged there. */
@NullMarked
package io.idem.applications.kafka.manualpool;

import org.jspecify.annotations.NullMarked;
