@NullMarked
package io.idem.consumer.internal.kafka.container;

import org.jspecify.annotations.NullMarked;
