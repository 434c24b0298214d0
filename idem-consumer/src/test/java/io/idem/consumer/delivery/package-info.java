@NullMarked
package io.idem.consumer.delivery;

import org.jspecify.annotations.NullMarked;
