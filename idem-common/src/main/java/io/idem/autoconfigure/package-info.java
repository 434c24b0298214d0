/** Puts the engine together in a Spring Boot application; every part backs off for the application's own bean. */
@NullMarked
package io.idem.autoconfigure;

import org.jspecify.annotations.NullMarked;
