@NullMarked
package io.idem.internal.redis.script;

import org.jspecify.annotations.NullMarked;
