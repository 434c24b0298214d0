/** A near cache of settled records in front of any store. */
@NullMarked
package io.idem.cache;

import org.jspecify.annotations.NullMarked;
