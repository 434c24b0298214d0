/** Acknowledgement mode COUNT_TIME. */
@NullMarked
package io.idem.applications.kafka.counttimemode;

import org.jspecify.annotations.NullMarked;
