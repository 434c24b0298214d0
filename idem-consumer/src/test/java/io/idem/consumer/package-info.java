@NullMarked
package io.idem.consumer;

import org.jspecify.annotations.NullMarked;
