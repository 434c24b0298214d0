@NullMarked
package io.idem.workshop.chaos.worker;

import org.jspecify.annotations.NullMarked;
