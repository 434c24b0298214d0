/** Offsets committed by the client. */
@NullMarked
package io.idem.applications.kafka.autocommit;

import org.jspecify.annotations.NullMarked;
