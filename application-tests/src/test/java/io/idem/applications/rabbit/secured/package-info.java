/** Method security. */
@NullMarked
package io.idem.applications.rabbit.secured;

import org.jspecify.annotations.NullMarked;
