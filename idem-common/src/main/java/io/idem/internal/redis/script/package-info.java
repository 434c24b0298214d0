/**
 * Calls the Lua scripts and reads their replies. Open {@code Scripts} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.redis.script;

import org.jspecify.annotations.NullMarked;
