/** Ordinary applications with idempotent listeners, each told the same stories. */
@NullMarked
package io.idem.applications;

import org.jspecify.annotations.NullMarked;
