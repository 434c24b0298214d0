/** The store on Redis: one Lua script per transition, called through a Lettuce client of its own. */
@NullMarked
package io.idem.redis;

import org.jspecify.annotations.NullMarked;
