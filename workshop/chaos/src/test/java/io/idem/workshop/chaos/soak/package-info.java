@NullMarked
package io.idem.workshop.chaos.soak;

import org.jspecify.annotations.NullMarked;
