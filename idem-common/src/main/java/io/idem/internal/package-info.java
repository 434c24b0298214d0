/** Shared by the modules of idem, for nobody else: may change with every version. */
@NullMarked
package io.idem.internal;

import org.jspecify.annotations.NullMarked;
