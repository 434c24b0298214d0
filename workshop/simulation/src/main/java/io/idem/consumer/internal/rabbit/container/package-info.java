/** Access of the simulation to package-private types of the library. */
@NullMarked
package io.idem.consumer.internal.rabbit.container;

import org.jspecify.annotations.NullMarked;
