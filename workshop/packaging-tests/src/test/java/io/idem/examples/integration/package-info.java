/** The code on docs/guide-spring-integration.md. */
@NullMarked
package io.idem.examples.integration;

import org.jspecify.annotations.NullMarked;
