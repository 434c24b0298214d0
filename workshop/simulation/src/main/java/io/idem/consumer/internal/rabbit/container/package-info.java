/** What the simulation needs of this package that applications do not. */
@NullMarked
package io.idem.consumer.internal.rabbit.container;

import org.jspecify.annotations.NullMarked;
