/** Tests of the reference store. */
@NullMarked
package io.idem.memory;

import org.jspecify.annotations.NullMarked;
