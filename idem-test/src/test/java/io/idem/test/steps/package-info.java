/** Processes that are killed or paused while they run steps, and what the provider and the stores have seen of it. */
@NullMarked
package io.idem.test.steps;

import org.jspecify.annotations.NullMarked;
