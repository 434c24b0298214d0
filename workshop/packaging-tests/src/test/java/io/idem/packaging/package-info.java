/** What is published, seen from outside. */
@NullMarked
package io.idem.packaging;

import org.jspecify.annotations.NullMarked;
