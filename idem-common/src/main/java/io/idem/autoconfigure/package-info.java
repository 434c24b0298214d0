/**
 * Auto-configuration of the engine in a Spring Boot application. Every part backs off for the application's own bean.
 * Open {@code IdemAutoConfiguration} first.
 */
@NullMarked
package io.idem.autoconfigure;

import org.jspecify.annotations.NullMarked;
