/** One annotation that sets tests of Spring Boot applications up. Needs spring-test, and of idem what the application has. */
@NullMarked
package io.idem.test.spring;

import org.jspecify.annotations.NullMarked;
