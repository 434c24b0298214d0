/** No acknowledgements. */
@NullMarked
package io.idem.applications.rabbit.none;

import org.jspecify.annotations.NullMarked;
