@NullMarked
package io.idem.consumer.key;

import org.jspecify.annotations.NullMarked;
