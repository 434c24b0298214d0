@NullMarked
package io.idem.consumer.internal.rabbit.message;

import org.jspecify.annotations.NullMarked;
