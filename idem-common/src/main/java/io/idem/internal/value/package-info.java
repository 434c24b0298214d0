/** Checks and digests that values of all packages share. The package depends on no other. Not for applications. */
@NullMarked
package io.idem.internal.value;

import org.jspecify.annotations.NullMarked;
