@NullMarked
package io.idem.spi;

import org.jspecify.annotations.NullMarked;
