/**
 * The annotation that sets up tests of Spring Boot applications: open {@link io.idem.test.spring.IdempotencyTest}
 * first. Needs spring-test, and those modules of idem that the application has.
 */
@NullMarked
package io.idem.test.spring;

import org.jspecify.annotations.NullMarked;
