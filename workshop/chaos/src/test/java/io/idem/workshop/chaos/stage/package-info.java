@NullMarked
package io.idem.workshop.chaos.stage;

import org.jspecify.annotations.NullMarked;
