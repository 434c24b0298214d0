/** TLS for tests: generated certificates, and a front for servers that speak plain TCP. */
@NullMarked
package io.idem.servers.tls;

import org.jspecify.annotations.NullMarked;
