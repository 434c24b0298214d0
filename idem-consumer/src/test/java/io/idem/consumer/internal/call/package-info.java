@NullMarked
package io.idem.consumer.internal.call;

import org.jspecify.annotations.NullMarked;
