/** One method that two connections feed. */
@NullMarked
package io.idem.applications.rabbit.twohosts;

import org.jspecify.annotations.NullMarked;
