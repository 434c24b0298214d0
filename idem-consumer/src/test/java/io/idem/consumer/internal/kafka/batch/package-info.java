@NullMarked
package io.idem.consumer.internal.kafka.batch;

import org.jspecify.annotations.NullMarked;
