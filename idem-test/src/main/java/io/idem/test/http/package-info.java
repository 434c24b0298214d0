/** Requests through {@code MockMvc} or {@code WebTestClient}: twice, at once, or into a crash. */
@NullMarked
package io.idem.test.http;

import org.jspecify.annotations.NullMarked;
