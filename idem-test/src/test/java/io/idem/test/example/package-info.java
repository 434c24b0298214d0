/** An application of a user, and its tests: docs/testing.md shows them. */
@NullMarked
package io.idem.test.example;

import org.jspecify.annotations.NullMarked;
