/** TLS for tests: certificates made on the spot, and a front for servers that speak plain TCP. */
@NullMarked
package io.idem.servers.tls;

import org.jspecify.annotations.NullMarked;
