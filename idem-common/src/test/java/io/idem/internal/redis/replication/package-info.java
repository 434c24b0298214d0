@NullMarked
package io.idem.internal.redis.replication;

import org.jspecify.annotations.NullMarked;
