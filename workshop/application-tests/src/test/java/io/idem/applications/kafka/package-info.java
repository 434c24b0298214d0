/** Applications on Kafka, each in a package of its own. */
@NullMarked
package io.idem.applications.kafka;

import org.jspecify.annotations.NullMarked;
