/** JUnit annotations for tests that need a certain server. */
@NullMarked
package io.idem.servers.junit;

import org.jspecify.annotations.NullMarked;
