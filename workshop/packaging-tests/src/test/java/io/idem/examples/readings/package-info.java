/** The code on docs/batches.md. */
@NullMarked
package io.idem.examples.readings;

import org.jspecify.annotations.NullMarked;
