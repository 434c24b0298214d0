/** Tests of the guarantees from outside, with real servers and with processes that are killed. */
@NullMarked
package io.idem.e2e;

import org.jspecify.annotations.NullMarked;
