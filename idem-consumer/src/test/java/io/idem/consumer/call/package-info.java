@NullMarked
package io.idem.consumer.call;

import org.jspecify.annotations.NullMarked;
