/**
 * Requests through {@code MockMvc} or {@code WebTestClient}, sent twice, at once, or into a crash. Open
 * {@link io.idem.test.http.MockMvcRequests} first.
 */
@NullMarked
package io.idem.test.http;

import org.jspecify.annotations.NullMarked;
