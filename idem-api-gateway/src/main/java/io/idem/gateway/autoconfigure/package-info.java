/** Spring Boot auto-configuration of the intake; does nothing in an application without routes. */
@NullMarked
package io.idem.gateway.autoconfigure;

import org.jspecify.annotations.NullMarked;
