@NullMarked
package io.idem.cache;

import org.jspecify.annotations.NullMarked;
