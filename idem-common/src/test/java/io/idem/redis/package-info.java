@NullMarked
package io.idem.redis;

import org.jspecify.annotations.NullMarked;
