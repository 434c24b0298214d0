/** What the simulation needs of this package that applications do not. */
@NullMarked
package io.idem.consumer.rabbit;

import org.jspecify.annotations.NullMarked;
