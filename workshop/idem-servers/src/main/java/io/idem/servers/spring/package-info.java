/** Names of Spring Boot that differ between the versions on which the tests run. */
@NullMarked
package io.idem.servers.spring;

import org.jspecify.annotations.NullMarked;
