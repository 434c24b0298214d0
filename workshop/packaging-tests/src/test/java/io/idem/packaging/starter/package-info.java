/** An application beside each of the starters, which may change nothing of it. */
@NullMarked
package io.idem.packaging.starter;

import org.jspecify.annotations.NullMarked;
