/** Puts the HTTP side together in a Spring Boot application; every part backs off for the application's own bean. */
@NullMarked
package io.idem.http.autoconfigure;

import org.jspecify.annotations.NullMarked;
