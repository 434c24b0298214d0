/** Retries that idem makes. */
@NullMarked
package io.idem.applications.rabbit.backoff;

import org.jspecify.annotations.NullMarked;
