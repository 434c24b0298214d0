@NullMarked
package io.idem.consumer.internal.kafka.message;

import org.jspecify.annotations.NullMarked;
