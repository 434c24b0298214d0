@NullMarked
package io.idem.consumer.internal.batch;

import org.jspecify.annotations.NullMarked;
