@NullMarked
package io.idem.workshop.simulation;

import org.jspecify.annotations.NullMarked;
