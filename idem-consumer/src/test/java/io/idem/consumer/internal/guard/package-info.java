@NullMarked
package io.idem.consumer.internal.guard;

import org.jspecify.annotations.NullMarked;
