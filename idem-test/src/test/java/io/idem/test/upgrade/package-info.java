/** Two versions of idem on one Redis, as during a rolling upgrade. */
@NullMarked
package io.idem.test.upgrade;

import org.jspecify.annotations.NullMarked;
