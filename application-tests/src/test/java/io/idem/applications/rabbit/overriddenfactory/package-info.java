/** A factory whose subclass finishes the container. */
@NullMarked
package io.idem.applications.rabbit.overriddenfactory;

import org.jspecify.annotations.NullMarked;
