/** MANUAL, the work handed to a pool and settled there. */
@NullMarked
package io.idem.applications.rabbit.manualpool;

import org.jspecify.annotations.NullMarked;
