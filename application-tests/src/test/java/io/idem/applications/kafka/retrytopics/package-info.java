/** Retry topics. */
@NullMarked
package io.idem.applications.kafka.retrytopics;

import org.jspecify.annotations.NullMarked;
