@NullMarked
package io.idem.consumer.outage;

import org.jspecify.annotations.NullMarked;
