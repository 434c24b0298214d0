/** How the concurrent parts are examined by Lincheck, and that it finds a race that is there. */
@NullMarked
package io.idem.lincheck;

import org.jspecify.annotations.NullMarked;
