@NullMarked
package io.idem.workshop.chaos.check;

import org.jspecify.annotations.NullMarked;
