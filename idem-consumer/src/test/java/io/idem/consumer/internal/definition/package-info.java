@NullMarked
package io.idem.consumer.internal.definition;

import org.jspecify.annotations.NullMarked;
