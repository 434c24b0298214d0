/** Types shared by the modules of idem, not for applications; may change with every version. */
@NullMarked
package io.idem.internal;

import org.jspecify.annotations.NullMarked;
