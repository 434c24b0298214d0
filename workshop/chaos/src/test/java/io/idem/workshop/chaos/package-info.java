@NullMarked
package io.idem.workshop.chaos;

import org.jspecify.annotations.NullMarked;
