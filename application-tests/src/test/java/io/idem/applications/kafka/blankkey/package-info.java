/** Keys of blanks. */
@NullMarked
package io.idem.applications.kafka.blankkey;

import org.jspecify.annotations.NullMarked;
