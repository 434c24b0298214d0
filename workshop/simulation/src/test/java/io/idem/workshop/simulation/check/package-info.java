@NullMarked
package io.idem.workshop.simulation.check;

import org.jspecify.annotations.NullMarked;
