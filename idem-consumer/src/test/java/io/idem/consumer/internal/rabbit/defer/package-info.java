@NullMarked
package io.idem.consumer.internal.rabbit.defer;

import org.jspecify.annotations.NullMarked;
