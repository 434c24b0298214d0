/** A class with handler methods. */
@NullMarked
package io.idem.applications.rabbit.handlers;

import org.jspecify.annotations.NullMarked;
