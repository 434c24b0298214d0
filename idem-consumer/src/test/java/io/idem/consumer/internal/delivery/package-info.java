@NullMarked
package io.idem.consumer.internal.delivery;

import org.jspecify.annotations.NullMarked;
