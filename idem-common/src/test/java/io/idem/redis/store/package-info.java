@NullMarked
package io.idem.redis.store;

import org.jspecify.annotations.NullMarked;
