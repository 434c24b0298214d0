/** Tests of the published artifacts. */
@NullMarked
package io.idem.packaging;

import org.jspecify.annotations.NullMarked;
