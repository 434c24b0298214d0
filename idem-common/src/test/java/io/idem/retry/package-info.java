@NullMarked
package io.idem.retry;

import org.jspecify.annotations.NullMarked;
