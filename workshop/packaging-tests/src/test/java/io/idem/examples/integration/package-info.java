/** What docs/guide-spring-integration.md shows. */
@NullMarked
package io.idem.examples.integration;

import org.jspecify.annotations.NullMarked;
