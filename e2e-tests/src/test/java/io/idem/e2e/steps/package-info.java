/** A provider that counts what the steps of killed processes have asked it to do. */
@NullMarked
package io.idem.e2e.steps;

import org.jspecify.annotations.NullMarked;
