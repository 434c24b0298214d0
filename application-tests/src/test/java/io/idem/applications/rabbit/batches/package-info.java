/** Consumer batches. */
@NullMarked
package io.idem.applications.rabbit.batches;

import org.jspecify.annotations.NullMarked;
