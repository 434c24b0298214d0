@NullMarked
package io.idem.consumer.internal.key;

import org.jspecify.annotations.NullMarked;
