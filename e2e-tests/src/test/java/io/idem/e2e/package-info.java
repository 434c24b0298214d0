/** The promise from outside, over real HTTP, brokers, Redis and PostgreSQL, with processes that get killed. */
@NullMarked
package io.idem.e2e;

import org.jspecify.annotations.NullMarked;
