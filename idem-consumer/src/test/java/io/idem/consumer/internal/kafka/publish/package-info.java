@NullMarked
package io.idem.consumer.internal.kafka.publish;

import org.jspecify.annotations.NullMarked;
