@NullMarked
package io.idem.consumer.kafka;

import org.jspecify.annotations.NullMarked;
