@NullMarked
package io.idem.consumer.definition;

import org.jspecify.annotations.NullMarked;
