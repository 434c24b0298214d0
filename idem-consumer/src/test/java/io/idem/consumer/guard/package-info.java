@NullMarked
package io.idem.consumer.guard;

import org.jspecify.annotations.NullMarked;
