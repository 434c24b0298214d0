@NullMarked
package io.idem.consumer.rabbit;

import org.jspecify.annotations.NullMarked;
