/** Hours of steady load with an occasional mild fault, to find leaks. */
@NullMarked
package io.idem.workshop.chaos.soak;

import org.jspecify.annotations.NullMarked;
