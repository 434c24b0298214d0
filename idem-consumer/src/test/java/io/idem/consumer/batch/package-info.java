@NullMarked
package io.idem.consumer.batch;

import org.jspecify.annotations.NullMarked;
