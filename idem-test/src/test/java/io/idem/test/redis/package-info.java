/** The store on a real Redis, whole and broken. */
@NullMarked
package io.idem.test.redis;

import org.jspecify.annotations.NullMarked;
