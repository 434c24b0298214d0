/** Keys of blanks. */
@NullMarked
package io.idem.applications.rabbit.blankkey;

import org.jspecify.annotations.NullMarked;
