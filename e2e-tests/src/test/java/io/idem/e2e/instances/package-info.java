/** Instances of an application that join and leave while messages arrive. */
@NullMarked
package io.idem.e2e.instances;

import org.jspecify.annotations.NullMarked;
