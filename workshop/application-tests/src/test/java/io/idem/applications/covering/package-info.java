/** Applications that are put together: every two choices meet in at least one of them. */
@NullMarked
package io.idem.applications.covering;

import org.jspecify.annotations.NullMarked;
