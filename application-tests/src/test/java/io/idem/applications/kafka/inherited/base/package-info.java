/** A base class for listeners, in a package of its own. */
@NullMarked
package io.idem.applications.kafka.inherited.base;

import org.jspecify.annotations.NullMarked;
