/** What docs/batches.md shows. */
@NullMarked
package io.idem.examples.readings;

import org.jspecify.annotations.NullMarked;
