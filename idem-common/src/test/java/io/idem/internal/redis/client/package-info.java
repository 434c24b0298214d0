@NullMarked
package io.idem.internal.redis.client;

import org.jspecify.annotations.NullMarked;
