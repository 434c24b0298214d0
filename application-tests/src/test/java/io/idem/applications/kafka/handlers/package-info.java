/** A class with handler methods. */
@NullMarked
package io.idem.applications.kafka.handlers;

import org.jspecify.annotations.NullMarked;
