/** Hours of steady load with a mild fault now and then: whatever grows is a leak. */
@NullMarked
package io.idem.workshop.chaos.soak;

import org.jspecify.annotations.NullMarked;
