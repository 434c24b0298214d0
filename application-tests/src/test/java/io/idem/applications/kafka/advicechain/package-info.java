/** An advice chain of the container. */
@NullMarked
package io.idem.applications.kafka.advicechain;

import org.jspecify.annotations.NullMarked;
