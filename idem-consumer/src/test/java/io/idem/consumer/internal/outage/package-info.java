@NullMarked
package io.idem.consumer.internal.outage;

import org.jspecify.annotations.NullMarked;
