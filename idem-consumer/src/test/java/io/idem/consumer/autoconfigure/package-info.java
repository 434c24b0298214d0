@NullMarked
package io.idem.consumer.autoconfigure;

import org.jspecify.annotations.NullMarked;
